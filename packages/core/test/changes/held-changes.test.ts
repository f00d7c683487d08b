import t from 'tap'
import { localChangeBus, holdingBus, type HeldChanges } from '#src/changes/held-changes.ts'

t.test('changes of held work are kept back, those of other work are told', async (t) => {
  const bus = holdingBus(
    localChangeBus(
      () => {},
      () => undefined
    ),
    () => undefined
  )
  const told: unknown[] = []
  bus.subscribe('Note', ({ id }) => told.push(id))
  const held: HeldChanges = { changes: [], isOver: false }
  await bus.hold(held, async () => bus.publish({ model: 'Note', kind: 'create', id: 1 }))
  bus.publish({ model: 'Note', kind: 'create', id: 2 })
  t.same(told, [2])
  t.match(held.changes, [{ id: 1 }])
})

t.test('what comes after the end of the work is told at once', async (t) => {
  const bus = holdingBus(
    localChangeBus(
      () => {},
      () => undefined
    ),
    () => undefined
  )
  const told: unknown[] = []
  bus.subscribe('Note', ({ id }) => told.push(id))
  const held: HeldChanges = { changes: [], isOver: false }
  await bus.hold(held, async () => {
    held.isOver = true
    bus.publish({ model: 'Note', kind: 'create', id: 1 })
  })
  t.same(told, [1])
})
