import t from 'tap'
import { lineOfMember, splitKey } from '#src/read/files/json-text.ts'

const json = `{
  "initial": {
    "./middleware/log": {
      "paths": ["/a", "/b"]
    },
    "cors": {}
  },
  "a": 1, "a.b": { "c":
    [ {"d": "{\\"e\\": 1}"}, {
      "d": 2 } ] }
}`
const value: unknown = JSON.parse(json)

for (const [key, path, line] of [
  ['initial', ['initial'], 2],
  ['initial../middleware/log.paths.1', ['initial', './middleware/log', 'paths', '1'], 4],
  ['initial.cors', ['initial', 'cors'], 6],
  ['a', ['a'], 8],
  ['a.b.c.1.d', ['a.b', 'c', '1', 'd'], 10],
  ['initial.cors.params.origin', ['initial', 'cors'], 6],
  ['nothing', [], undefined],
  ['', [], undefined]
] as const)
  t.test(`finds the line of "${key}", as far as there is one`, async (t) => {
    t.strictSame(splitKey(value, key), path)
    t.equal(lineOfMember(json, path), line)
  })
