" `.ml` is OCaml's too: a file is Glia when it begins with a comment of # or one of Glia's own declarations.
autocmd BufRead,BufNewFile *.ml if getline(nextnonblank(1)) =~# '\v^(#|import |model |option |optimizer |fn )' | setfiletype glia | endif
