import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import t from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { link, makeEmptyFolder, manifestIn } from '../new-project.ts'
import { env, slow } from './try-new-project.ts'

for (const [style, file] of [
  ['typebox', 'dist/test/notes.test.js'],
  ['json', 'test/notes.test.mjs']
] as const)
  t.test(`a project of style ${style} for MongoDB passes its test in memory and there`, slow, async (t) => {
    const dir = makeEmptyFolder(t)
    t.equal(await run(['init', dir, '--style', style, '--database', 'mongodb'], fakeTerminal()), 0)
    t.ok(manifestIn(dir).dependencies['@modelwire/connector-mongodb'])
    link(dir)
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    const there = { ...env, DATABASE_URL: database.url, NODE_ENV: 'production' }
    const stored = await promisify(execFile)('npm', ['test'], { cwd: dir, env: there })
    t.match(stored.stdout, /pass 2[^]*fail 0/)
    const inMemory = await promisify(execFile)(process.execPath, ['--test', file], { cwd: dir, env })
    t.match(inMemory.stdout, /pass 2[^]*fail 0/)
    const [note] = await database.client.db().collection('Note').find().toArray()
    t.match(note, { text: 'Buy milk', done: true })
    t.notMatch(readFileSync(join(dir, 'README.md'), 'utf8'), /undefined/)
  })
