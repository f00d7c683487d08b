import t from 'tap'
import { compileMethod } from '#src/operations/compile-method.ts'
import { OperationContext } from '#src/operations/operation-context.ts'
import { buildModels } from '../build-models.ts'

const makeModel = () => buildModels([{ name: 'Book', properties: { title: 'string' } }]).typeOf('Book')
const compile = (name: string, spec: Record<string, unknown> = {}) => compileMethod(makeModel(), name, spec)

type Cases = readonly (readonly [spec: Record<string, unknown>, facts: object])[]

const facts: Cases = [
  [{}, { name: 'lend', onInstance: false, accepts: [], returns: [], endpoints: [{ verb: 'ALL', path: '/lend' }] }],
  [{}, { aliases: [], status: undefined, accessType: 'EXECUTE', documented: true, runsApplicationCode: true }],
  [{ http: { verb: 'get', path: '/l/:n' } }, { endpoints: [{ verb: 'GET', path: '/l/:n' }], accessType: 'READ' }],
  [{ http: { verb: 'DEL', path: 'x' } }, { endpoints: [{ verb: 'DELETE', path: '/x' }] }],
  [
    { http: [{ verb: 'post' }, { verb: 'head', path: '/y' }] },
    {
      endpoints: [
        { verb: 'POST', path: '/lend' },
        { verb: 'HEAD', path: '/y' }
      ]
    }
  ],
  [{ http: { status: 201, errorStatus: 418 } }, { status: 201, errorStatus: 418 }],
  [{ aliases: 'borrow' }, { aliases: ['borrow'] }],
  [{ aliases: ['borrow', 5] }, { aliases: ['borrow'] }],
  [{ accessType: 'WRITE', http: { verb: 'get' } }, { accessType: 'WRITE' }],
  [{ accessType: 'nonsense' }, { accessType: 'EXECUTE' }],
  [{ accessScopes: 'admin' }, { accessScopes: ['admin'] }],
  [
    { documented: false, description: ['two', 'lines'], notes: 'n' },
    { documented: false, description: 'two\nlines', notes: 'n' }
  ],
  [
    { accepts: { arg: 'to', type: 'string', required: true } },
    { accepts: [{ name: 'to', type: { kind: 'string' }, required: true, source: 'any' }] }
  ],
  [{ accepts: [{ name: 'n' }, {}] }, { accepts: [{ name: 'n', type: { kind: 'any' } }, { name: 'arg1' }] }],
  [
    { accepts: [{ arg: 'n', type: ['number'], default: 5, allowArray: true }] },
    { accepts: [{ type: { kind: 'array', items: { kind: 'number' } }, default: 5, allowArray: true }] }
  ],
  [{ accepts: [{ arg: 'o', type: 'object', http: 'optionsFromRequest' }] }, { accepts: [{ source: 'options' }] }],
  [
    { accepts: [{ arg: 'b', type: 'Book', http: { source: 'body' } }] },
    { accepts: [{ source: 'body', type: { kind: 'model', model: 'Book' } }] }
  ],
  [{ returns: { arg: 'ok', type: 'boolean' } }, { returns: [{ name: 'ok', type: { kind: 'boolean' }, root: false }] }],
  [{ returns: [{ arg: 'f', type: 'file', root: true }] }, { returns: [{ type: { kind: 'file' }, root: true }] }],
  [
    {
      returns: [
        { arg: 's', http: { target: 'status' } },
        { arg: 'h', http: { target: 'header', header: 'X-H' } }
      ]
    },
    { returns: [{ target: 'status' }, { target: 'header', header: 'X-H' }] }
  ]
]

t.test('a specification becomes an operation', async (t) => {
  for (const [spec, expected] of facts) t.match(compile('lend', spec), expected, JSON.stringify(spec))
})

t.test('a method of an instance lies below its id', async (t) => {
  const operation = compile('prototype.lend', { http: { verb: 'put', path: '/lent' } })
  t.match(operation, { name: 'prototype.lend', onInstance: true, endpoints: [{ verb: 'PUT', path: '/:id/lent' }] })
})

const accessTypes: Readonly<Record<string, string>> = {
  find: 'READ',
  findById: 'READ',
  exists: 'READ',
  count: 'READ',
  create: 'WRITE',
  upsert: 'WRITE',
  'prototype.save': 'WRITE',
  deleteById: 'WRITE',
  work: 'EXECUTE'
}

t.test('the access type follows from the name where the verb does not say it', async (t) => {
  for (const [name, accessType] of Object.entries(accessTypes)) t.match(compile(name), { accessType }, name)
})

const malformed: readonly (readonly [spec: Record<string, unknown>, key: string])[] = [
  [{ http: { verb: 'brew' } }, 'methods.lend.http.verb'],
  [{ accepts: [{ arg: 'a', http: { source: 'moon' } }] }, 'methods.lend.accepts.a.http.source'],
  [{ returns: [{ arg: 'a', http: { target: 'moon' } }] }, 'methods.lend.returns.a.http.target'],
  [{ returns: [{ arg: 'a', http: { target: 'header', header: 'X Y' } }] }, 'methods.lend.returns.a.http.header'],
  [{ returns: [{ arg: 'ä', http: { target: 'header' } }] }, 'methods.lend.returns.ä.http.header'],
  [{ http: { status: 99 } }, 'methods.lend.http.status'],
  [{ http: { status: 200.5 } }, 'methods.lend.http.status']
]

t.test('a malformed specification is refused with its key', async (t) => {
  for (const [spec, key] of malformed) {
    t.throws(() => compile('lend', spec), { code: 'MODEL_DEFINITION_INVALID', where: { model: 'Book', key } })
  }
  const wrongType = { accepts: [{ arg: 'a', type: 5 }] }
  t.throws(() => compile('lend', wrongType), {
    code: 'PROPERTY_TYPE_UNKNOWN',
    where: { key: 'methods.lend.accepts.a' }
  })
})

t.test('a call reaches the function of the class or of the instance, with the arguments in order', async (t) => {
  const model = makeModel()
  const spec = { accepts: [{ arg: 'a' }, { arg: 'b' }] }
  Object.assign(model.modelClass, { lend: (...args: unknown[]) => ['static', ...args] })
  const onClass = compileMethod(model, 'lend', spec)
  t.strictSame(onClass.invoke(new OperationContext(onClass, { args: { b: 2, a: 1 } })), ['static', 1, 2])
  const onInstance = compileMethod(model, 'prototype.lend', spec)
  const context = new OperationContext(onInstance, { args: { a: 1 } })
  context.instance = { lend: (...args: unknown[]) => ['instance', ...args] }
  t.strictSame(onInstance.invoke(context), ['instance', 1, undefined])
})

t.test('a method without a function is not implemented', async (t) => {
  const operation = compile('lend')
  t.throws(() => operation.invoke(new OperationContext(operation)), { code: 'NOT_IMPLEMENTED', statusCode: 501 })
})

t.test('a function in http computes the argument from the context', async (t) => {
  const [argument] = compile('lend', {
    accepts: [{ arg: 'a', http: (context: OperationContext) => context.id }]
  }).accepts
  const context = new OperationContext(compile('lend'), { id: '7' })
  t.equal(argument?.compute?.(context), '7')
})
