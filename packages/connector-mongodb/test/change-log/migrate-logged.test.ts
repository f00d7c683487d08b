import t from 'tap'
import { note, openLog } from './open-log.ts'

const setting = { changeStreamPreAndPostImages: { enabled: true } }

void t.test('the collection of a model that logs its changes is made to keep earlier states', async (t) => {
  const { connector, models, db, migrate } = await openLog(t, { migrates: false })
  const plan = async () => (await connector.planMigration?.(models, { empty: false }))?.steps
  t.match(await plan(), [
    {
      kind: 'createTable',
      statement: 'db.createCollection("notes", {"changeStreamPreAndPostImages":{"enabled":true}})'
    }
  ])
  await db.createCollection('notes')
  t.match(await plan(), [
    {
      kind: 'prepare',
      model: 'Note',
      destructive: false,
      statement: 'db.runCommand({"collMod":"notes","changeStreamPreAndPostImages":{"enabled":true}})'
    }
  ])
  await migrate()
  t.same(await plan(), [])
  const [collection] = await db.listCollections({ name: 'notes' }).toArray()
  t.match(collection, { options: setting })
})

void t.test('nothing of that is set for other models, on older servers and on single ones', async (t) => {
  const others = [
    await openLog(t, { definitions: [{ ...note, changeLog: false }] }),
    await openLog(t, { wireVersion: 16 }),
    await openLog(t, { isSingle: true })
  ]
  for (const { db } of others) {
    const [collection] = await db.listCollections({ name: 'notes' }).toArray()
    t.equal(collection?.name, 'notes')
    t.notMatch(collection, { options: setting })
  }
})
