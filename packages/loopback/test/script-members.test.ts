import t from 'tap'
import { installMembers, type MemberRow, memberOf } from '#src/script-members.ts'

interface Door {
  readonly name: string
}

const rows: readonly MemberRow<Door>[] = [
  ['greet', 'method', (door, whom: string) => `${door.name} greets ${whom}`],
  ['open', 'chain', () => 'what it gives is left out'],
  ['find', 'promise', async (door, id: unknown) => [door.name, id]],
  ['title', 'getter', (door) => door.name.toUpperCase()],
  ['views', 'replaceable', (door) => [door.name]],
  ['kind', 'value', 'front'],
  ['weld', 'refused', 'use open']
]

const makeDoor = (): Door & Record<string, unknown> => installMembers({ name: 'front' }, rows, { owner: 'door' })

t.test('members know what they were called on', async (t) => {
  const door = makeDoor()
  const call = (name: string, ...args: unknown[]): unknown =>
    Reflect.apply(door[name] as (...given: unknown[]) => unknown, door, args)
  t.equal(call('greet', 'Ann'), 'front greets Ann')
  t.equal(call('open'), door)
  t.same(await call('find', 7), ['front', 7])
  t.same(await new Promise((resolve) => call('find', 7, (_error: unknown, found: unknown) => resolve(found))), [
    'front',
    7
  ])
  t.throws(() => call('weld'), { code: 'MEMBER_NOT_PROVIDED', message: 'door.weld is not provided: use open' })
})

t.test('two members of one name are a mistake of the table', async (t) => {
  const twice: readonly MemberRow<Door>[] = [...rows, ['greet', 'refused', 'use knock']]
  for (const keepsOwn of [true, false])
    t.throws(() => installMembers({}, twice, { owner: 'door', keepsOwn }), new TypeError('two rows for door.greet'))
})

t.test('functions have the name of their member', async (t) => {
  const door = makeDoor()
  for (const name of ['greet', 'open', 'find', 'weld']) t.equal(memberOf(door[name], 'name'), name)
})

t.test('scripts put their own in the place of all but what is only read', async (t) => {
  const door = makeDoor()
  for (const name of ['greet', 'views', 'kind', 'weld']) {
    door[name] = 'own'
    t.equal(door[name], 'own', name)
  }
  t.throws(() => Object.assign(door, { title: 'own' }), TypeError)
  t.equal(door['title'], 'FRONT')
})

t.test('members are listed where the place says so, and what an object has of its own may stay', async (t) => {
  t.same(Object.keys(makeDoor()), ['name'])
  const own: object = installMembers({ name: 'back', kind: 'own' }, rows, { isListed: true, keepsOwn: true })
  t.equal(memberOf(own, 'kind'), 'own')
  t.ok(Object.keys(own).includes('greet'))
})
