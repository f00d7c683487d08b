import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { nodeOverrides } from '#src/init/json-files.ts'
import { run } from '#src/run.ts'
import { fakeTerminal } from '../fake-terminal.ts'
import { makeEmptyFolder, manifestIn, root } from '../new-project.ts'

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

t.test('the README names a database of the project', async (t) => {
  for (const [database, address] of [
    ['postgresql', 'postgresql://localhost/my_shop\n'],
    ['sqlite', 'DATABASE_URL=my-shop.db\n']
  ] as const)
    for (const style of ['typebox', 'json']) {
      const dir = join(makeEmptyFolder(t), 'My Shop')
      await run(['init', dir, '--style', style, '--database', database], fakeTerminal())
      t.match(readFileSync(join(dir, 'README.md'), 'utf8'), address)
    }
})

t.test('the container file is the one that docs/containers.md shows', async (t) => {
  const dir = makeEmptyFolder(t)
  await run(['init', dir], fakeTerminal())
  const page = readFileSync(join(root, 'docs/containers.md'), 'utf8')
  for (const [name, pattern] of [
    ['Dockerfile', /```dockerfile\n([^]*?)```/],
    ['.dockerignore', /```\n([^`]*?)```/]
  ] as const)
    t.equal(readFileSync(join(dir, name), 'utf8'), pattern.exec(page)?.[1], name)
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
