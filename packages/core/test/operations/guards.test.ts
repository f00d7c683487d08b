import t from 'tap'
import { Client } from '#src/caller/caller.ts'
import { compileMethod } from '#src/operations/compile-method.ts'
import type { Guard, Operation } from '#src/operations/operation.ts'
import { OperationContext } from '#src/operations/operation-context.ts'
import { RemoteHooks } from '#src/operations/remote-hooks.ts'
import { compileOperation } from '#src/operations/compile-operation.ts'
import { checkGuards } from '#src/operations/run-operation.ts'
import { buildModels } from '../build-models.ts'

const registry = buildModels([{ name: 'Book' }])
const operation: Operation = {
  ...compileMethod(registry.typeOf('Book'), 'lend', {}),
  runsApplicationCode: false,
  invokeById: () => ({})
}
const compile = (guards: readonly Guard[]) => compileOperation(operation, guards, new RemoteHooks())

void t.test('a guard that ignores the record leaves it unloaded', async (t) => {
  t.equal(compile([]).byId, true)
  t.equal(compile([Object.assign(() => {}, { ignoresInstance: true })]).byId, true)
  t.equal(compile([() => {}]).byId, false)
})

void t.test('a guard for callers is not asked about others', async (t) => {
  const asked: unknown[] = []
  const guard = Object.assign(({ principal }: OperationContext) => void asked.push(principal?.userId), {
    onlyForCallers: true
  })
  const call = compile([guard])
  const context = new OperationContext(operation)
  await checkGuards(call, context)
  context.client = new Client({ userId: 1 }, undefined)
  await checkGuards(call, context)
  t.strictSame(asked, [1])
})

void t.test('guards are asked one after the other, and the first that throws ends the call', async (t) => {
  const log: string[] = []
  const later = async (): Promise<void> => {
    await Promise.resolve()
    log.push('first')
  }
  const refuse = (): never => {
    throw new Error('no')
  }
  const call = compile([later, refuse, () => void log.push('third')])
  await t.rejects(async () => checkGuards(call, new OperationContext(operation)))
  t.strictSame(log, ['first'])
})

void t.test('a source chooses the guard of each operation', async (t) => {
  const own = buildModels([{ name: 'Book' }])
  const guard = (): void => {}
  own.addGuardSource(({ name }) => (name === 'lend' ? guard : undefined))
  t.equal(own.isGuarded, true)
  t.strictSame(own.guardsOf(operation), [guard])
  t.strictSame(own.guardsOf({ ...operation, name: 'find' }), [])
})
