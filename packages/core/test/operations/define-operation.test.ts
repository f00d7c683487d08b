import { operationsOf, type Operation } from '#src/operations/operation.ts'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineInstanceOperation, defineModel, defineOperation, type ModelClass, OperationContext } from '#src/index.ts'
import { compileOperation } from '#src/operations/compile-operation.ts'
import type { OperationInput } from '#src/operations/operation-context.ts'
import { RemoteHooks } from '#src/operations/remote-hooks.ts'
import { runOperation } from '#src/operations/run-operation.ts'
import { buildModels } from '../build-models.ts'

const book = defineModel('Book', Type.Object({ title: Type.String(), stock: Type.Integer({ default: 0 }) }))
type Book = { title: string; stock: number }

function makeBook() {
  const registry = buildModels([book])
  return { registry, model: registry.typeOf('Book'), Book: registry.get('Book') as unknown as ModelClass<Book> }
}

function call(operation: Operation | undefined, input: OperationInput, instance?: object): Promise<unknown> {
  if (operation === undefined) throw new TypeError('it was defined')
  const context = new OperationContext(operation, input)
  const loadInstance = instance === undefined ? undefined : async () => instance
  const loading = loadInstance === undefined ? operation : { ...operation, loadInstance }
  return runOperation(compileOperation(loading, [], new RemoteHooks()), Object.assign(context, { operation: loading }))
}

t.test('an operation is described by what it is given', async (t) => {
  const { model, Book } = makeBook()
  defineOperation(Book, { name: 'restock', accepts: { count: Type.Integer() }, handler: () => null })
  defineOperation(Book, {
    name: 'top',
    accessType: 'READ',
    path: 'best',
    returns: Type.Array(Type.String()),
    handler: () => []
  })
  defineInstanceOperation(Book, { name: 'sell', verb: 'PUT', path: '/sold/:n', status: 202, handler: () => undefined })
  t.match(operationsOf(model), [
    {
      name: 'restock',
      onInstance: false,
      accessType: 'EXECUTE',
      endpoints: [{ verb: 'POST', path: '/restock' }],
      accepts: [{ name: 'count', type: { kind: 'integer' }, required: true, source: 'any' }],
      returns: [],
      runsApplicationCode: true
    },
    { name: 'top', accessType: 'READ', endpoints: [{ verb: 'GET', path: '/best' }], returns: [{ root: true }] },
    { name: 'prototype.sell', onInstance: true, status: 202, endpoints: [{ verb: 'PUT', path: '/:id/sold/:n' }] }
  ])
})

t.test('a handler gets typed arguments, with defaults, and the record', async (t) => {
  const { model, Book } = makeBook()
  const accepts = { count: Type.Integer({ default: 1 }), note: Type.Optional(Type.String()) }
  defineOperation(Book, {
    name: 'sum',
    accepts,
    returns: Type.Number(),
    handler: ({ count, note }) => count + (note?.length ?? 0)
  })
  defineInstanceOperation(Book, {
    name: 'restock',
    accepts,
    returns: Type.Object({ stock: Type.Integer() }),
    handler: async (record, { count }) => record.patchAttributes({ stock: record.stock + count })
  })
  const [sum, restock] = operationsOf(model)
  t.equal(await call(sum, { args: { count: 2, note: 'abc' } }), 5)
  t.equal(await call(sum, {}), 1)
  const record = await Book.create({ title: 'Emma', stock: 2 })
  t.match(await call(restock, { args: { count: 3 } }, record), { stock: 5 })
  t.match(await Book.findById(1), { stock: 5 })
})

const wrong: readonly (readonly [args: Record<string, unknown>, message: RegExp])[] = [
  [{}, /email/],
  [{ email: 5 }, /email/],
  [{ email: 'ann' }, /email/],
  [{ email: 'ann@example.com', size: 0 }, /size/],
  [{ email: 'ann@example.com', kind: 'c' }, /kind/],
  [{ email: 'ann@example.com', inner: { list: [1] } }, /inner\.list\.0/]
]

t.test('arguments that do not suit their schemas are refused by name', async (t) => {
  const { model, Book } = makeBook()
  const accepts = {
    email: Type.String({ format: 'email' }),
    size: Type.Optional(Type.Integer({ minimum: 1 })),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    inner: Type.Optional(Type.Object({ list: Type.Array(Type.String()) }))
  }
  defineOperation(Book, { name: 'invite', accepts, returns: Type.String(), handler: ({ email }) => email })
  const [invite] = operationsOf(model)
  t.equal(await call(invite, { args: { email: 'ann@example.com', kind: 'b' } }), 'ann@example.com')
  for (const [args, message] of wrong) {
    await t.rejects(
      call(invite, { args }),
      { code: 'INVALID_ARGUMENT', statusCode: 400, message },
      JSON.stringify(args)
    )
  }
})

t.test('an operation that cannot be is refused when it is defined', async (t) => {
  const { registry, Book } = makeBook()
  const define = (name: string, accepts = {}) => defineOperation(Book, { name, accepts, handler: () => null })
  t.throws(() => define(''), { code: 'MODEL_DEFINITION_INVALID', where: { model: 'Book' } })
  t.throws(() => define('x', { big: Type.BigInt() }), { code: 'PROPERTY_TYPE_UNKNOWN' })
  registry.seal()
  t.throws(() => define('x'), { code: 'REGISTRY_SEALED', where: { model: 'Book', key: 'operations.x' } })
})
