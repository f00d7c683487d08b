import t from 'tap'
import { compileMethod } from '#src/operations/compile-method.ts'
import { OperationContext } from '#src/operations/operation-context.ts'
import { buildModels } from '../build-models.ts'

const model = buildModels([{ name: 'Book' }]).typeOf('Book')

t.test('a context tells the method in the words of LoopBack', async (t) => {
  const context = new OperationContext(compileMethod(model, 'prototype.lend', { aliases: ['borrow'] }))
  t.equal(context.methodString, 'Book.prototype.lend')
  t.match(context.method, {
    name: 'lend',
    stringName: 'Book.prototype.lend',
    isStatic: false,
    accessType: 'EXECUTE',
    aliases: ['borrow'],
    sharedClass: { name: 'Book', ctor: model.modelClass }
  })
  t.match(new OperationContext(compileMethod(model, 'find', {})).method, { name: 'find', isStatic: true })
})

t.test('a context starts with what it is given and nothing else', async (t) => {
  const operation = compileMethod(model, 'lend', {})
  t.match(new OperationContext(operation), {
    operation,
    args: {},
    options: {},
    id: undefined,
    instance: undefined,
    wantsInstances: false,
    principal: undefined,
    status: undefined,
    headers: undefined,
    req: undefined,
    res: undefined
  })
  const input = {
    args: { a: 1 },
    options: { b: 2 },
    id: '3',
    wantsInstances: true,
    endpoint: { verb: 'GET', path: '/' }
  } as const
  t.match(new OperationContext(operation, input), input)
})
