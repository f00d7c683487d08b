import t from 'tap'
import { findJsonError } from '#src/read/files/read-json-file.ts'

const fine = [
  '{}',
  '[]',
  ' [ 1 , -2.5e+3 , "a\\u00e9\\n" , null , true ] ',
  '{"a":{"b":[{}]}}',
  '"x"',
  '0',
  '{"a":"}"}'
]
const broken: [string, number][] = [
  ['', 0],
  ['{', 1],
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{a:1}', 1],
  ['[1,]', 3],
  ['[1 2]', 3],
  ['{"a":1} x', 8],
  ['{"a":01}', 6],
  ['{"a":"\n"}', 5],
  ['{"a":"\\x"}', 5],
  ['{"a":undefined}', 5],
  ["{'a':1}", 1],
  ['// c\n{}', 0]
]

void t.test('finds nothing wrong with JSON', async (t) => {
  for (const json of fine) t.equal(findJsonError(json), undefined, json)
})

void t.test('finds the first character that JSON does not allow', async (t) => {
  for (const [json, offset] of broken) t.equal(findJsonError(json), offset, JSON.stringify(json))
})

void t.test('agrees with the parser about what is JSON', async (t) => {
  for (const json of [...fine, ...broken.map(([text]) => text)]) {
    let isJson = true
    try {
      JSON.parse(json)
    } catch {
      isJson = false
    }
    t.equal(findJsonError(json) === undefined, isJson, JSON.stringify(json))
  }
})
