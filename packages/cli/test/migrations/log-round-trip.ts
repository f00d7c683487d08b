import type { Test } from 'tap'
import type { Shop } from './make-shop.ts'

/** A database as the test of logged changes uses it. */
export interface LoggingDatabase {
  readonly run: (statement: string) => Promise<unknown>
  /** The name of the table of `Note` there. */
  readonly note: string
}

const noteOf = (properties: object, more: object = { changeLog: true }): Readonly<Record<string, object>> => ({
  Note: { strict: true, properties: { id: { type: 'number', id: true, generated: true }, ...properties }, ...more }
})
const papers = { table: 'papers' }
const renamed = { changeLog: true, options: { sqlite3: papers, postgresql: papers, mysql: papers } }

/** A version of the models, the renames that lead to it, and which columns the log has of a note then. */
interface Version {
  readonly models: Readonly<Record<string, object>>
  readonly renames: (note: string) => readonly string[]
  readonly table: (note: string) => string
  readonly logged: readonly string[]
}

const same = (note: string): string => note
const versions: readonly Version[] = [
  { models: noteOf({ text: 'string' }), renames: () => [], table: same, logged: ['id', 'text'] },
  {
    models: noteOf({ text: 'string', "it's odd": 'string' }),
    renames: () => [],
    table: same,
    logged: ['id', "it's odd", 'text']
  },
  {
    models: noteOf({ text: 'string', kind: 'string' }),
    renames: (note) => [`${note}.it's odd=kind`],
    table: same,
    logged: ['id', 'kind', 'text']
  },
  {
    models: noteOf({ text: 'string', kind: 'string' }, renamed),
    renames: (note) => [`${note}=papers`],
    table: () => 'papers',
    logged: ['id', 'kind', 'text']
  },
  {
    models: noteOf({ text: 'string', kind: 'string' }, { ...renamed, changeLog: false }),
    renames: () => [],
    table: () => 'papers',
    logged: []
  }
]

/** Checks what the database logs of a note that is created, changed and removed by statements. */
async function checkLogged(t: Test, { run, note }: LoggingDatabase, { table, logged }: Version): Promise<void> {
  await run('delete from modelwire_changes')
  const name = table(note)
  await run(`insert into ${name} (text) values ('a')`)
  await run(`update ${name} set text = 'b'`)
  await run(`delete from ${name}`)
  const rows = await run('select kind, record from modelwire_changes order by id')
  const entries = (rows as readonly { kind: string; record: string }[]).map(({ kind, record }) => {
    const values = JSON.parse(record) as Record<string, unknown> // triggers write objects
    return [kind, Object.keys(values).toSorted(), values['text']]
  })
  const expected = [
    ['create', logged, 'a'],
    ['update', logged, 'b'],
    ['remove', logged, 'b']
  ]
  t.strictSame(entries, logged.length === 0 ? [] : expected)
}

/** Writes and applies a migration for each version of a logged model, and reverts them: what is logged fits the table each time. */
export async function logRoundTrip(t: Test, shop: Shop, database: LoggingDatabase): Promise<void> {
  for (const [at, version] of versions.entries()) {
    shop.setModels(version.models)
    const renames = version.renames(database.note).flatMap((each) => ['--rename', each])
    const { outText } = await shop.migrate(['--create', `v${at}`, ...renames])
    t.notMatch(outText(), /reverting is incomplete/)
    await shop.migrate(['--yes'])
    await checkLogged(t, database, version)
  }
  for (const [at, version] of [...versions.slice(0, -1).entries()].toReversed()) {
    await shop.migrate(['--down', '--lose-data', '--yes'])
    await checkLogged(t, database, version)
    shop.setModels(version.models)
    const { outText } = await shop.migrate(['--plan'])
    t.match(outText(), /up to date|nothing|fits/i, `nothing differs from version ${at}`)
  }
  shop.setModels(versions.at(-1)?.models ?? {})
  await shop.migrate(['--yes'])
  await shop.migrate(['--status', '--check'])
}
