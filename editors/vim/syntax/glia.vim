" Syntax of Glia.
if exists("b:current_syntax")
  finish
endif

syn keyword gliaKeyword fn let type import match if then else for in loop while scan yield backward assert on recompute cached and or not from as
syn keyword gliaDeclare model param state layer optimizer update option train test
syn keyword gliaType f32 f64 bf16 f16 i64 i32 i8 u8 bool float int num dim str
syn keyword gliaConstant true false pi inf nan
syn match gliaNumber "\v<(0x[0-9a-fA-F_]+|\d[0-9_]*(\.\d[0-9_]*)?([eE][-+]?\d+)?)>"
syn match gliaConstructor "\v<\u\k*>"
syn match gliaOperator "\v\|\>|\=\>|-\>|:\=|\.\.|[=!<>]\=|[-+*/%@^~<>=]"
syn region gliaString start=+"+ skip=+\\.+ end=+"+ oneline contains=gliaInterpolation
syn region gliaInterpolation start="{" end="}" contained oneline contains=gliaNumber,gliaOperator,gliaType,gliaConstant
syn match gliaComment "#.*$" contains=@Spell
syn match gliaDoc "##.*$" contains=@Spell

hi def link gliaKeyword Keyword
hi def link gliaDeclare Structure
hi def link gliaType Type
hi def link gliaConstant Constant
hi def link gliaNumber Number
hi def link gliaConstructor Identifier
hi def link gliaOperator Operator
hi def link gliaString String
hi def link gliaInterpolation Special
hi def link gliaComment Comment
hi def link gliaDoc SpecialComment

let b:current_syntax = "glia"
