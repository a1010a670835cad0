let a = (1
