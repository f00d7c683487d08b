import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { nodeOverrides } from '#src/init/node-overrides.ts'
import { createTestDatabase } from '@modelwire/connector-tests/mongodb'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { link, makeEmptyFolder, manifestIn, root } from '../new-project.ts'

const env = {
  ...process.env,
  PORT: '0',
  HOST: '127.0.0.1',
  NODE_ENV: 'development',
  NPM_CONFIG_UPDATE_NOTIFIER: 'false'
}

/** Waits for what a process prints, and collects all that it prints until then and afterwards. */
async function untilPrinted(child: ChildProcess, pattern: RegExp, printed: string[] = []): Promise<string> {
  let text = ''
  return new Promise((fulfil, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => {
        text += part
        printed.push(part)
        const found = pattern.exec(text)?.[1]
        if (found !== undefined) fulfil(found)
      })
    child.once('exit', () => reject(new Error(`ended too early: ${text}`)))
  })
}

// The compiler runs twice, which takes its time on a busy machine.
const slow = { timeout: 120_000 }

for (const style of ['typebox', 'json'])
  t.test(`init makes a project of style ${style} that passes its test, starts and answers`, slow, async (t) => {
    const dir = join(makeEmptyFolder(t), 'My Notes')
    const terminal = fakeTerminal()
    t.equal(await run(['init', dir, '--style', style], terminal), 0)
    t.match(terminal.outText(), /npm install\n {2}npm test\n {2}npm start/)
    t.equal(manifestIn(dir).name, 'my-notes')
    link(dir)
    const { stdout } = await promisify(execFile)('npm', ['test'], { cwd: dir, env })
    t.match(stdout, /pass 2[^]*fail 0/)
    const routes = fakeTerminal()
    t.equal(await run(['routes', dir], routes), 0, routes.errText())
    t.match(routes.outText(), /\/api\/Notes\/:id\/finish/)
    const child = spawn('npm', ['start'], { cwd: dir, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    // npm runs the server in a process of its own.
    t.teardown(() => process.kill(-Number(child.pid), 'SIGKILL'))
    const printed: string[] = []
    const url = await untilPrinted(child, /Server listening at (http:\/\/[\d.:]+)/, printed)
    t.equal((await fetch(`${url}/api/Notes`)).status, 401, 'nobody is logged in')
    t.equal((await fetch(`${url}/explorer/`)).status, 200)
    t.notMatch(printed.join(''), /"level":[4-6]0/, 'it starts without a warning')
  })

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

t.test('init refuses a database that there is not', async (t) => {
  const terminal = fakeTerminal()
  t.equal(await run(['init', join(makeEmptyFolder(t), 'new'), '--database', 'oracle'], terminal), 2)
  t.match(terminal.errText(), /memory, mongodb, mysql, postgresql, sqlite, not oracle/)
})

t.test('the JSON style is an application in which check finds nothing', async (t) => {
  const dir = makeEmptyFolder(t)
  await run(['init', dir, '--style', 'json'], fakeTerminal())
  const terminal = fakeTerminal()
  t.equal(await run(['check', dir], terminal), 0)
  t.match(terminal.outText(), /Everything runs; 0 work differently, 0 good to know/)
})

t.test('new projects depend on the versions that this repository has', async (t) => {
  const dir = makeEmptyFolder(t)
  await run(['init', dir], fakeTerminal())
  const { dependencies, devDependencies } = manifestIn(dir)
  const catalog = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')
  for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
    if (name === 'modelwire' || name.startsWith('@modelwire/')) continue
    // Of two versions in the catalogs it is the later one: the compiler that other tools can use.
    const written = [...catalog.matchAll(new RegExp(`^ +'?${name}'?: (.+)$`, 'gm'))].at(-1)?.[1]
    t.equal(range, `^${written}`, name)
  }
})

t.test('init asks for the style on a terminal, and takes typebox when nothing is said', async (t) => {
  for (const [answer, file] of [
    ['json', 'common/models/note.json'],
    ['', 'src/models.ts']
  ] as const) {
    const dir = makeEmptyFolder(t)
    const terminal = fakeTerminal(answer)
    t.equal(await run(['init', dir], terminal), 0)
    t.match(terminal.asked, [/typebox or json\?/])
    t.ok(existsSync(join(dir, file)))
  }
  const dir = makeEmptyFolder(t)
  t.equal(await run(['init', dir], fakeTerminal()), 0)
  t.ok(existsSync(join(dir, 'src/models.ts')))
})

t.test('init refuses a folder with files, and a style that there is not', async (t) => {
  const dir = makeEmptyFolder(t)
  writeFileSync(join(dir, 'mine.txt'), '')
  for (const path of [dir, join(dir, 'mine.txt')]) {
    const terminal = fakeTerminal()
    t.equal(await run(['init', path], terminal), 2)
    t.match(terminal.errText(), /is not empty.*\n {2}\(FOLDER_NOT_EMPTY\)/)
  }
  const terminal = fakeTerminal()
  t.equal(await run(['init', join(dir, 'new'), '--style', 'xml'], terminal), 2)
  t.match(terminal.errText(), /typebox or json, not xml/)
  t.notOk(existsSync(join(dir, 'new')))
})

t.test('a folder with a repository alone counts as empty', async (t) => {
  const dir = makeEmptyFolder(t)
  mkdirSync(join(dir, '.git'))
  t.equal(await run(['init', dir], fakeTerminal()), 0)
})

t.test('where Node 20 makes a project, versions of other packages are chosen that run on it', (t) => {
  const cookie = { cookie: '^1.1.1' }
  const overrides = { '@fastify/cookie': cookie, 'light-my-request': cookie }
  t.match(nodeOverrides('20.19.0'), { overrides })
  t.strictSame(nodeOverrides('24.1.0'), {})
  t.end()
})
