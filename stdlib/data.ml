## Readers of data: data.csv, data.mnist. Their types follow from how their arguments are written, so the compiler
## knows them; see docs/data.md.
