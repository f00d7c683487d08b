import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const env = {
  ...process.env,
  PORT: '0',
  HOST: '127.0.0.1',
  NODE_ENV: 'development',
  NPM_CONFIG_UPDATE_NOTIFIER: 'false'
}

function makeEmptyFolder(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'modelwire-init-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

interface Manifest {
  readonly name: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifestIn = (dir: string): Manifest => JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest // it was just made so

/** Where this repository has a package. */
function placeOf(name: string): string {
  const own = name === 'modelwire' ? 'packages/cli' : `packages/${name.replace('@modelwire/', '')}`
  const places = [
    own,
    // Another version of the compiler is at the root.
    ...(name === 'typescript' ? ['packages/explorer-tests/node_modules/typescript'] : []),
    `node_modules/${name}`,
    `packages/cli/node_modules/${name}`,
    `packages/core/node_modules/${name}`
  ]
  return join(root, places.find((place) => existsSync(join(root, place, 'package.json'))) ?? name)
}

/** What npm install does, with the packages of this repository. */
function link(dir: string): void {
  const { dependencies, devDependencies = {} } = manifestIn(dir)
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    mkdirSync(dirname(join(dir, 'node_modules', name)), { recursive: true })
    symlinkSync(placeOf(name), join(dir, 'node_modules', name))
  }
  mkdirSync(join(dir, 'node_modules/.bin'))
  for (const [name, script] of [
    ['modelwire', 'modelwire/dist/main.js'],
    ['tsc', 'typescript/bin/tsc']
  ] as const) {
    writeFileSync(join(dir, 'node_modules/.bin', name), `#!/bin/sh\nexec node "${dir}/node_modules/${script}" "$@"\n`)
    chmodSync(join(dir, 'node_modules/.bin', name), 0o755)
  }
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
    const answer = await fetch(`${url}/api/Notes`, {
      method: 'POST',
      body: '{"text":"a"}',
      headers: { 'content-type': 'application/json' }
    })
    t.match(await answer.json(), { text: 'a', done: false, id: 1 })
    t.equal((await fetch(`${url}/explorer/`)).status, 200)
    t.notMatch(printed.join(''), /"level":[4-6]0/, 'it starts without a warning')
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
