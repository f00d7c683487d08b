import t from 'tap'
import { answersAsLoopback, type Exchange } from './answers.ts'

/** A script whose methods answer with what they are given, by name and by the words of their argument. */
const echoing = (methods: Readonly<Record<string, string>>): string =>
  `module.exports = M => { ${Object.entries(methods)
    .map(
      ([name, accepts]) =>
        `M.${name} = (x, cb) => cb(null, { v: x, of: x && x.constructor.name }); M.remoteMethod('${name}', { http: { verb: '${name.startsWith('get') ? 'get' : 'post'}' }, accepts: { arg: 'x', ${accepts} }, returns: { type: 'object', root: true } })`
    )
    .join('\n')} }`

t.test('a required argument is refused when it is null or an empty text', async (t) => {
  const kinds = ['any', 'object', 'array', 'string', 'number', 'date', 'Public', 'geopoint']
  const script = echoing({
    ...Object.fromEntries(kinds.map((kind) => [kind, `type: '${kind}', required: true`])),
    text: "type: 'string', required: 'true'",
    body: "type: 'object', required: true, http: { source: 'body' }"
  })
  await answersAsLoopback(t, { Desk: { script }, Public: {} }, [
    ...kinds.map((kind): Exchange => [`POST /Desks/${kind} {"x":null}`, 400]),
    ['POST /Desks/any {"x":""}', 400],
    ['POST /Desks/string {"x":""}', 400],
    ['POST /Desks/any {"x":0}', 200],
    ['POST /Desks/object {"x":{}}', 200],
    ['POST /Desks/array {"x":[]}', 200],
    ['POST /Desks/text {}', 400],
    ['POST /Desks/body {}', 200],
    ['POST /Desks/body null', 400]
  ])
})

t.test('allowArray takes lists of objects alone', async (t) => {
  const script = echoing({
    body: "type: 'object', allowArray: true, http: { source: 'body' }",
    field: "type: 'object', allowArray: true",
    model: "type: 'Public', allowArray: true, http: { source: 'body' }",
    getTexts: "type: ['string']"
  })
  await answersAsLoopback(t, { Desk: { script }, Public: {} }, [
    ['POST /Desks/body [{"a":1}]', 200, { v: [{ a: 1 }], of: 'Array' }],
    ['POST /Desks/body {"a":1}', 200, { v: { a: 1 }, of: 'Object' }],
    ['POST /Desks/body [1,2]', 400],
    ['POST /Desks/body ["a",null]', 400],
    ['POST /Desks/body [[1]]', 400],
    ['POST /Desks/field {"x":[1]}', 400],
    ['POST /Desks/field {"x":[{},null]}', 200],
    ['POST /Desks/field {"x":1}', 400],
    ['POST /Desks/model [{"n":"1"},1]', 400],
    ['GET /Desks/getTexts?x=[a]', 400],
    ['GET /Desks/getTexts?x=["a"]', 200, { v: ['a'], of: 'Array' }],
    ['GET /Desks/getTexts?x=["a"', 200, { v: ['["a"'], of: 'Array' }],
    ['GET /Desks/getTexts?x=a&x=b', 200, { v: ['a', 'b'], of: 'Array' }]
  ])
})

t.test('an argument of a model that is not public is whatever comes', async (t) => {
  const script = echoing({
    body: "type: 'Hidden', http: { source: 'body' }",
    field: "type: 'Hidden'",
    list: "type: ['Hidden']",
    getOne: "type: 'Hidden'"
  })
  const file = { properties: { n: 'number', d: 'date' }, strict: true }
  await answersAsLoopback(t, { Desk: { script }, Hidden: { file, config: { public: false } } }, [
    ['POST /Desks/body {"n":"x","d":"y","z":1}', 200, { v: { n: 'x', d: 'y', z: 1 }, of: 'Object' }],
    ['POST /Desks/body [1]', 200, { v: [1], of: 'Array' }],
    ['POST /Desks/field {"x":"abc"}', 200, { v: 'abc', of: 'String' }],
    ['POST /Desks/field {"x":{"n":"5","z":1}}', 200, { v: { n: '5', z: 1 }, of: 'Object' }],
    ['GET /Desks/getOne?x={"n":"5"}', 200, { v: { n: '5' }, of: 'Object' }],
    ['GET /Desks/getOne?x=5', 200, { v: 5, of: 'Number' }],
    ['GET /Desks/getOne?x[n]=5', 200, { v: { n: '5' }, of: 'Object' }],
    ['POST /Desks/list {"x":[5,{"z":1}]}', 200, { v: [5, { z: 1 }], of: 'Array' }],
    ['POST /Desks/list {"x":{"n":1}}', 400]
  ])
})
