import t from 'tap'
import {
  argument,
  describeOperation,
  callData,
  callArguments,
  callReturns
} from '#src/operations/describe-operation.ts'
import { OperationContext } from '#src/operations/operation-context.ts'
import { ModelRegistry } from '#src/registry.ts'

function makeOperation(name: string) {
  const registry = new ModelRegistry()
  registry.define({ name: 'Note', properties: {} })
  const model = registry.typeOf('Note')
  return describeOperation(model, {
    name,
    accepts: [callArguments.data(model)],
    returns: callReturns.named('count', 'number'),
    endpoints: [['POST', '/:id/touch']],
    accessType: 'WRITE',
    description: 'Touch',
    effect: { verb: 'call', subject: 'record' },
    invoke: () => 1
  })
}

t.test('completes what an operation says of itself', async (t) => {
  t.match(makeOperation('prototype.touch'), {
    onInstance: true,
    aliases: [],
    documented: true,
    endpoints: [{ verb: 'POST', path: '/:id/touch' }],
    returns: [{ name: 'count', root: false }]
  })
  t.equal(makeOperation('touch').onInstance, false)
  t.match(argument('flag', 'query', { kind: 'boolean' }), { required: false, allowArray: false })
})

t.test('JSON null is no data of a call on one record', async (t) => {
  const operation = makeOperation('prototype.touch')
  t.throws(() => callData(new OperationContext(operation, { args: { data: null } })), { code: 'INVALID_ARGUMENT' })
  t.strictSame(callData(new OperationContext(operation, { args: { data: { a: 1 } } })), { a: 1 })
})
