// The concrete syntax of Glia. No actions: parser/build_*.cpp turns the parse tree into parser/ast.h.
//
// Before the parser sees the tokens, parser/newline_filter.cpp removes the newlines that do not end a
// statement and retypes three brackets, which keeps every rule below decidable by a glance ahead:
//   LAMBDA_OPEN     a `(` whose `)` is followed by `=>`, where a lambda may begin
//   RECORD_OPEN     a `{` followed by a word and `:`, or by `..`
//   CONSTRUCT_OPEN  a `{` right after a capitalised name and before a field
//
// Lists are written `x (',' x?)*`, which decides on one token; the builder refuses `a,,b`.
grammar Glia;

tokens { LAMBDA_OPEN, RECORD_OPEN, CONSTRUCT_OPEN }   // made by the newline filter only

// ---- files ----------------------------------------------------------------------------------

file : item? (sep item?)* EOF ;
piece : item EOF ;                // one item alone, while errors are collected
interpolation : expr EOF ;        // the inside of `{…}` in a string

sep : NEWLINE | ';' ;

item
  : fnDecl | typeDecl | importDecl | fromDecl | modelDecl | optimizerDecl | optionDecl | trainDecl | testDecl
  | statement
  ;

// ---- declarations ---------------------------------------------------------------------------

fnDecl : 'fn' anyName '(' params? ')' ('->' type)? ('=' expr | block) backward? ;
backward : 'backward' '(' params? ')' '=>' expr ;

params : param (',' param?)* ;
param : pattern '...'? (':' type)? ('=' expr)? ;

typeDecl : 'type' anyName typeParams? '=' (variant | alias) ;
typeParams : '(' typeParam (',' typeParam?)* ')' ;
typeParam : anyName | TYPE_VAR ;
variant : '|'? variantCase ('|' variantCase)* ;
variantCase : CAPITAL ('(' (variantField (',' variantField?)*)? ')')? ;
variantField : (anyWord ':')? type ;
alias : (groupType | recordType | listType | TYPE_VAR | lowerType) ('->' type)? ;

importDecl : 'import' importItem (',' importItem)* ;
fromDecl : 'from' path 'import' importItem (',' importItem)* ;
importItem : path ('as' anyName)? ;
path : anyName ('.' anyName)* ;

modelDecl : 'model' anyName ('(' params? ')')? openBrace member? (sep member?)* '}' ;
member : paramMember | stateMember | layerMember | fnDecl ;
paramMember : 'param' anyName ':' type (('=' | '~') expr)? ;
stateMember : 'state' anyName (':' type)? '=' expr ;
layerMember : 'layer' anyName '=' expr ;

optimizerDecl : 'optimizer' anyName ('(' params? ')')? openBrace optimizerMember? (sep optimizerMember?)* '}' ;
optimizerMember : stateMember | updateMember ;
updateMember : 'update' '(' params? ')' block ;

optionDecl : 'option' anyName ':' type '=' expr ;

trainDecl : 'train' anyName? openBrace trainEntry? ((sep | ',') trainEntry?)* '}' ;
trainEntry : anyWord ':' expr ;

testDecl : 'test' STRING block ;

// ---- statements -----------------------------------------------------------------------------

statement
  : 'let' pattern (':' type)? '=' expr
  | 'assert' expr
  | expr (':=' expr)?             // left of `:=` stands a name: the builder checks
  ;

statements : statement? (sep statement?)* ;
block : openBrace statements '}' ;

openBrace : '{' | RECORD_OPEN | CONSTRUCT_OPEN ;   // where only one meaning is possible

// ---- expressions, loosest first -------------------------------------------------------------

expr
  : lambda | ifExpr | forExpr | loopExpr | matchExpr | onExpr | recomputeExpr | cachedExpr
  | pipe ('=>' expr)?             // left of `=>` stands a name or `_`: the builder checks
  ;

lambda : LAMBDA_OPEN params? ')' '=>' expr ;
ifExpr : 'if' expr 'then' expr ('else' expr)? ;
forExpr : 'for' forClause (',' forClause)* ('if' pipe)? '=>' expr ;
forClause : pattern ('<' sum | 'in' source)? ;
source : pipe ('..' sum)? ;       // left of `..` stands a sum: the builder checks
loopExpr : ('loop' | 'scan') pattern (':' type)? '=' expr ('for' forClause | 'while' pipe) block ('yield' expr)? ;
matchExpr : 'match' pipe openBrace arm? (sep arm?)* '}' ;
arm : pattern ('if' pipe)? '=>' expr ;
onExpr : 'on' pipe block ;
recomputeExpr : 'recompute' block ;
cachedExpr : 'cached' block ;

pipe : disjunction ('|>' disjunction)* ;
disjunction : conjunction ('or' conjunction)* ;
conjunction : negation ('and' negation)* ;
negation : 'not'* comparison ;
comparison : sum (('==' | '!=' | '<' | '<=' | '>' | '>=') sum)* ;   // at most one: the builder checks
sum : product (('+' | '-') product)* ;
product : unary (('*' | '/' | '//' | '%' | '@') unary)* ;
unary : '-'* power ;
power : postfix ('^' unary)? ;    // to the right; its right side may begin with `-`
postfix : primary trailer* ;

trailer
  : '(' (arg (',' arg?)*)? ')'
  | '[' indexItem (',' indexItem?)* ']'
  | '.' (CAPITAL construct? | field)
  ;
arg : anyWord '=' expr | expr ;
indexItem : expr slice? | slice ;
slice : ':' expr? (':' expr?)? ;
field : name | keyword | INT | FLOAT ;   // s.0.0 reads 0.0 as one FLOAT: the builder splits it

primary
  : name
  | CAPITAL construct?
  | INT | FLOAT | STRING | 'true' | 'false' | '_'
  | '(' (expr (',' expr?)*)? ')'
  | '[' (expr (',' expr?)*)? ']'
  | RECORD_OPEN recordFields '}'
  | '{' statements '}'
  ;
construct : CONSTRUCT_OPEN recordFields '}' ;
recordFields : recordField (',' recordField?)* ;
recordField : '..' expr | anyWord (':' expr)? ;

// ---- patterns -------------------------------------------------------------------------------

pattern
  : '_'
  | '-'? (INT | FLOAT) | STRING | 'true' | 'false'
  | ('(' | LAMBDA_OPEN) (pattern (',' pattern?)*)? ')'
  | openBrace fieldPattern (',' fieldPattern?)* '}'
  | path ('(' (pattern (',' pattern?)*)? ')')?
  ;
fieldPattern : anyWord (':' pattern)? ;

// ---- types ----------------------------------------------------------------------------------

type : (groupType | recordType | listType | TYPE_VAR | namedType) ('->' type)? ;
groupType : '(' (type (',' type?)*)? ')' ;
recordType : openBrace typeField (',' typeField?)* '}' ;
typeField : anyWord ':' type ;
listType : '[' type ']' ;
namedType : path typeSuffix? ;
lowerType : name ('.' anyName)* typeSuffix? ;
typeSuffix
  : '(' (expr (',' expr?)*)? ')'
  | '[' (dim (',' dim?)*)? ']'
  ;
dim : '..' anyName | '?' | expr ;

// ---- names ----------------------------------------------------------------------------------

// Words with a meaning only where a declaration may begin are ordinary names elsewhere.
name
  : NAME | 'model' | 'param' | 'state' | 'layer' | 'optimizer' | 'update' | 'option' | 'train' | 'test' | 'from' | 'as'
  ;
anyName : name | CAPITAL ;
anyWord : name | CAPITAL | keyword ;
keyword
  : 'fn' | 'let' | 'type' | 'import' | 'match' | 'if' | 'then' | 'else' | 'for' | 'in' | 'loop' | 'while' | 'scan' | 'yield'
  | 'backward' | 'assert' | 'on' | 'recompute' | 'cached' | 'and' | 'or' | 'not' | 'true' | 'false'
  ;

// ---- tokens ---------------------------------------------------------------------------------

FN : 'fn' ;
LET : 'let' ;
TYPE : 'type' ;
IMPORT : 'import' ;
MATCH : 'match' ;
IF : 'if' ;
THEN : 'then' ;
ELSE : 'else' ;
FOR : 'for' ;
IN : 'in' ;
LOOP : 'loop' ;
WHILE : 'while' ;
SCAN : 'scan' ;
YIELD : 'yield' ;
BACKWARD : 'backward' ;
ASSERT : 'assert' ;
ON : 'on' ;
RECOMPUTE : 'recompute' ;
CACHED : 'cached' ;
AND : 'and' ;
OR : 'or' ;
NOT : 'not' ;
TRUE_ : 'true' ;
FALSE_ : 'false' ;

MODEL : 'model' ;
PARAM : 'param' ;
STATE : 'state' ;
LAYER : 'layer' ;
OPTIMIZER : 'optimizer' ;
UPDATE : 'update' ;
OPTION : 'option' ;
TRAIN : 'train' ;
TEST : 'test' ;
FROM : 'from' ;
AS : 'as' ;

OPEN : '(' ;
CLOSE : ')' ;
OPEN_LIST : '[' ;
CLOSE_LIST : ']' ;
OPEN_BRACE : '{' ;
CLOSE_BRACE : '}' ;
COMMA : ',' ;
SEMICOLON : ';' ;
COLON : ':' ;
DOT : '.' ;
RANGE : '..' ;
ELLIPSIS : '...' ;
QUESTION : '?' ;
TILDE : '~' ;
BAR : '|' ;
PIPE : '|>' ;
EQUAL : '=' ;
ASSIGN : ':=' ;
ARROW : '->' ;
FAT_ARROW : '=>' ;
EQ : '==' ;
NE : '!=' ;
LE : '<=' ;
LT_ : '<' ;
GE : '>=' ;
GT : '>' ;
PLUS : '+' ;
MINUS : '-' ;
STAR : '*' ;
FLOOR_DIV : '//' ;
SLASH : '/' ;
PERCENT : '%' ;
AT : '@' ;
CARET : '^' ;
UNDERSCORE : '_' ;

INT : DIGITS | '0' [xX] HEX ('_'? HEX)* ;
FLOAT : DIGITS '.' DIGITS EXPONENT? | DIGITS EXPONENT ;
STRING : '"' (ESCAPE | ~["\\{\r\n] | HOLE)* '"' ;
TYPE_VAR : '\'' [_\p{L}] LETTER* ;
CAPITAL : [\p{Lu}\p{Lt}] LETTER* ;
NAME : [_\p{L}] LETTER* ;

NEWLINE : '\r'? '\n' | '\r' ;
SPACE : [ \t\u00A0\uFEFF]+ -> channel(HIDDEN) ;
DOC : '##' ~[\r\n]* -> channel(2) ;
COMMENT : '#' ~[\r\n]* -> channel(HIDDEN) ;

// What is wrong is still a token, so that the message can be ours.
UNCLOSED_STRING : '"' (ESCAPE | ~["\\\r\n])* '\\'? ;
BAD_NUMBER : [0-9] LETTER* ('.' [0-9] LETTER*)? ;
FOREIGN : '**' | '&&' | '&' | '||' | '!' | '++' | '+=' | '-=' | '*=' | '/=' | '//=' | '%=' | '@=' | '^=' | '**=' | '===' | '<<' | '>>' ;
UNKNOWN : . ;

fragment LETTER : [_\p{L}\p{Nd}\p{Mn}\p{Mc}] ;
fragment DIGITS : [0-9] ('_'? [0-9])* ;
fragment HEX : [0-9a-fA-F] ;
fragment EXPONENT : [eE] [+-]? DIGITS ;
fragment ESCAPE : '\\' ~[\r\n] ;
fragment HOLE : '{' (STRING | HOLE | ~["{}\r\n])* '}' ;
