import t from 'tap'
import { type ModelDefinition, ValidationError } from '#src/index.ts'
import { repository } from '#src/plugin-api.ts'
import { buildModels } from '../build-models.ts'
import { clientCall } from '../client-call.ts'

/** What is read-only in plain objects, as a model file writes them. */
const shop: ModelDefinition = {
  name: 'Shop',
  properties: {
    name: 'string',
    address: {
      type: {
        city: 'string',
        checked: { type: 'boolean', readOnly: true },
        code: { type: 'string', writeOnce: true },
        by: { type: 'string', fromCaller: 'userId' },
        place: { type: { floor: 'number', since: { type: 'date', readOnly: true } } }
      }
    },
    lines: { type: [{ label: 'string', margin: { type: 'number', readOnly: true } }] }
  }
}

async function seed() {
  const registry = buildModels([shop])
  const model = registry.typeOf('Shop')
  const since = new Date('2020-01-01')
  await registry.get('Shop').create({
    address: { city: 'Lund', checked: true, code: 'a', by: '7', place: { floor: 1, since } },
    lines: [{ label: 'x', margin: 3 }]
  })
  const patch = (data: object) => repository.patchOrCreate(model, { id: 1, ...data }, clientCall())
  return { model, patch, since, read: async () => (await registry.get('Shop').findById(1))?.toJSON() }
}

/** The codes of what a write is refused for, by path. */
async function codesOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work
  } catch (error) {
    return error instanceof ValidationError ? error.details.codes : error
  }
}

const refused: readonly (readonly [data: object, path: string, code: string])[] = [
  [{ address: { checked: false } }, 'address.checked', 'read-only'],
  [{ address: { checked: null } }, 'address.checked', 'read-only'],
  [{ address: { code: 'b' } }, 'address.code', 'write-once'],
  [{ address: { by: 'other' } }, 'address.by', 'read-only'],
  [{ address: { place: { since: '2021-01-01' } } }, 'address.place.since', 'read-only'],
  [{ lines: [{ margin: 4 }] }, 'lines.margin', 'read-only'],
  [{ lines: [{ margin: 3 }, { margin: 3 }] }, 'lines.margin', 'read-only']
]

t.test('what is read-only in a plain object is not for clients to set', async (t) => {
  const { model, patch, read } = await seed()
  const before = await read()
  for (const [data, path, code] of refused) t.strictSame(await codesOf(patch(data)), { [path]: [code] })
  const made = repository.create(model, { address: { checked: true } }, clientCall())
  t.strictSame(await codesOf(made), { 'address.checked': ['read-only'] })
  t.strictSame(await read(), before)
})

t.test('what a client may not set in a plain object stays when it is left out, or sent as it is', async (t) => {
  const { patch, read, since } = await seed()
  const kept = { checked: true, code: 'a', by: '7' }
  await patch({ address: { city: 'Oslo', place: { floor: 2 } }, lines: [{ label: 'y' }, { label: 'z' }] })
  const lines = [{ label: 'y', margin: 3 }, { label: 'z' }]
  t.match(await read(), { address: { city: 'Oslo', ...kept, place: { floor: 2, since } }, lines })
  await patch({ address: { city: 'Rome', ...kept, place: { since: since.toISOString() } }, lines })
  t.match(await read(), { address: { city: 'Rome', ...kept, place: { since } }, lines })
})

t.test('a part that is written once can be set in a new object', async (t) => {
  const { model, patch } = await seed()
  const made = await repository.create(model, { address: { code: 'n' }, name: 'a' }, clientCall())
  t.match(made, { address: { code: 'n' } })
  t.match(await patch({ address: null }), { address: null })
})

t.test('code of the application sets everything', async (t) => {
  const { model } = await seed()
  t.match(await repository.create(model, { address: { checked: true } }), { address: { checked: true } })
})
