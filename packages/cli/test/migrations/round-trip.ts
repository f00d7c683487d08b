import type { Test } from 'tap'
import type { Shop } from './make-shop.ts'

const id = { type: 'number', id: true, generated: true }
const Purchase = {
  strict: true,
  properties: { id, total: 'number', customerId: 'number' },
  foreignKeys: { fk_customer: { entity: 'Customer', entityKey: 'id', foreignKey: 'customerId' } }
}
const customerOf = (properties: object): object => ({ strict: true, properties: { id, ...properties } })

/** Models as they change, and the options of `--create` for each change. */
const versions: readonly (readonly [models: Readonly<Record<string, object>>, options: readonly string[]])[] = [
  [
    {
      Customer: customerOf({ fullName: { type: 'string', index: true }, code: { type: 'string', length: 8 } }),
      Purchase
    },
    []
  ],
  [
    { Customer: customerOf({ label: { type: 'string', index: true }, code: { type: 'string', length: 8 } }), Purchase },
    ['--rename']
  ],
  [
    {
      Customer: customerOf({
        label: { type: 'string', index: true },
        code: { type: 'string', length: 20, unique: true },
        size: { type: 'number', required: true, default: 3 },
        born: { type: 'date', index: true }
      }),
      Purchase
    },
    []
  ],
  [{ Client: customerOf({ label: 'string' }), Purchase: { ...Purchase, foreignKeys: {} } }, []]
]

/**
 * Writes and applies a migration for each change of the models, reverts them one by one, and applies all of them again. `dump`
 * gives the schema of the database; `fullName` is the name of a table and column there.
 */
export async function roundTrip(
  t: Test,
  shop: Shop,
  { dump, fullName }: { dump: () => Promise<unknown>; fullName: string }
): Promise<void> {
  const seen = [await dump()]
  const counts = [0]
  for (const [at, [models, options]] of versions.entries()) {
    shop.setModels(models)
    await shop.migrate(['--create', `v${at}`, ...options, ...(options.length > 0 ? [`${fullName}=label`] : [])])
    await shop.migrate(['--yes'])
    await shop.migrate(['--status', '--check'])
    seen.push(await dump())
    counts.push(shop.files().length)
  }
  for (let at = versions.length; at > 0; at--) {
    await shop.migrate(['--down', String((counts[at] ?? 0) - (counts[at - 1] ?? 0)), '--lose-data', '--yes'])
    t.same(await dump(), seen[at - 1], `down to version ${at - 1}`)
  }
  await shop.migrate(['--yes'])
  t.same(await dump(), seen.at(-1), 'up again')
  await shop.migrate(['--status', '--check'])
}
