import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'

// The dumps were made in UTC.
process.env['TZ'] = 'UTC'

const folder = fileURLToPath(new URL('../loopback-databases', import.meta.url))

interface Database {
  readonly settings: Readonly<Record<string, unknown>>
  readonly load: (sql: string) => Promise<void>
  readonly drop: () => Promise<void>
}
type Answers = Readonly<Record<string, unknown>>
interface Parts {
  readonly openDatabase: (kind: string) => Promise<Database>
  readonly startModelwire: (settings: Database['settings']) => Promise<{ url: string; close: () => Promise<void> }>
  readonly readAnswers: (url: string, token: string) => Promise<Answers>
  readonly withNumbers: (answer: unknown) => unknown
}

const part = async (file: string): Promise<unknown> => import(pathToFileURL(join(folder, file)).href)
// The scripts beside the dumps export these.
const { openDatabase, startModelwire, readAnswers, withNumbers } = {
  ...((await part('open-database.mjs')) as object),
  ...((await part('start-modelwire.mjs')) as object),
  ...((await part('read-answers.mjs')) as object)
} as Parts

for (const kind of ['postgresql', 'mysql', 'sqlite3']) {
  const skip = kind === 'mysql' && (await whyNoServer())
  void t.test(`a database that LoopBack made is answered about as LoopBack did: ${kind}`, { skip }, async (t) => {
    const database = await openDatabase(kind)
    t.teardown(() => database.drop())
    await database.load(readFileSync(join(folder, `dumps/${kind}.sql`), 'utf8'))
    const recorded = JSON.parse(readFileSync(join(folder, `dumps/${kind}.answers.json`), 'utf8')) as {
      token: string
      answers: Answers
    }
    const server = await startModelwire(database.settings)
    t.teardown(() => server.close())
    const answers = await readAnswers(server.url, recorded.token)
    for (const [path, answer] of Object.entries(recorded.answers))
      t.strictSame(withNumbers(answers[path]), withNumbers(answer), path)
  })
}
