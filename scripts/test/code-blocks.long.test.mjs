import { execFile, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { findCodeBlocks } from '../docs/find-code-blocks.mjs'
import { examplePages, readDoor } from '../docs/find-examples.mjs'
import { listPrograms } from '../docs/list-programs.mjs'
import { readMarkdownFiles, root } from '../docs/markdown-files.mjs'
import { compiledPath, needsServer, shopPath, usesShop, writePrograms } from '../docs/write-programs.mjs'

const run = promisify(execFile)
const pages = readMarkdownFiles()
const blocks = [...pages].flatMap(([path, text]) =>
  findCodeBlocks(text).map((block) => ({ ...block, place: `${path}:${block.line}` }))
)

/** What makes a program impossible to compile beside the others, and where it is tested instead. */
const elsewhere = {
  './api.d.ts': 'made from a running server: the tests of explorer do that',
  './api.js': 'made from a running server: explorer-tests do that',
  './api/index.js': 'made from a running server: explorer-tests do that',
  '#src/': 'imports a file that is inside of a package'
}
/** What makes a program impossible to run without more, although it compiles. */
const notRun = {
  '@modelwire/connector-postgresql': 'needs a database',
  '@modelwire/connector-mysql': 'needs a database',
  '@modelwire/connector-mongodb': 'needs a database'
}
const isTest = ({ files, main }) => files[main].includes("from 'tap'")

t.test('JSON on the pages is JSON', async (t) => {
  const json = blocks.filter(({ language }) => language === 'json')
  t.ok(json.length > 3)
  for (const { place, code } of json) t.doesNotThrow(() => JSON.parse(code), place)
})

t.test('commands on the pages are commands', async (t) => {
  const commands = blocks.filter(({ language }) => language === 'sh')
  t.ok(commands.length > 10)
  for (const { place, code } of commands) await t.resolves(run('sh', ['-n', '-c', code]), place)
})

t.test(
  'programs on the pages and in docstrings compile, run, and print and answer what is said; tests pass',
  { timeout: 180_000 },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'modelwire-pages-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const examples = examplePages(readDoor('packages/core/src/index.ts'))
    const programs = listPrograms(new Map([...pages, ...examples])).filter(
      ({ files, main }) => !names(files[main], elsewhere)
    )
    t.ok(programs.length > 15)
    t.same(await compile(folder, programs), [])
    const runnable = programs
      .map((program, at) => ({ ...program, path: compiledPath(folder, program, at), inShop: usesShop(program) }))
      .filter((program) => !names(program.files[program.main], notRun) && (program.inShop || !needsServer(program)))
    const [tests, others] = [true, false].map((wanted) => runnable.filter((program) => isTest(program) === wanted))
    for (const { path, place } of tests) await t.resolves(run(process.execPath, [path]), `${place} passes`)
    const { results, code, output } = await runAll(others, shopPath(folder))
    for (const program of others) compare(t, program, results.get(program.path))
    t.equal(code, 0, 'nothing fails after its program has run')
    if (code !== 0) t.comment(output)
  }
)

t.test('a program is a block that imports something, with the files of its page that it needs', async (t) => {
  const page = [
    '```ts parts.ts\nimport a from "a"\n```',
    "```ts server.ts\nimport { c } from './parts.js'\n```",
    "```ts\nimport { b } from './server.js'\nconsole.log(b) // 1\n```",
    '```sh\ncurl localhost:3000/x\n# {"a":1}\nls\n```',
    '```ts\nconst fragment = 1\n```'
  ].join('\n\n')
  const [parts, server, program, ...more] = listPrograms(new Map([['p.md', page]]))
  t.same([parts.place, parts.main, server.main, more], ['p.md:1', 'parts.ts', 'server.ts', []])
  t.same(Object.keys(program.files), ['program.ts', 'server.ts', 'parts.ts'])
  t.same(program.prints, ['1'])
  t.same(program.commands, [{ text: 'curl localhost:3000/x', answer: '{"a":1}' }])
})

function names(code, reasons) {
  return Object.keys(reasons).some((text) => code.includes(text))
}

/** Problems that the compiler has with the programs, with the place on the page. */
async function compile(folder, programs) {
  const problems = []
  for (const project of writePrograms(folder, programs)) problems.push(...(await compileProject(project)))
  return problems.map((line) => line.replace(/^(\d+)\//, (_, at) => `${programs[at].place} `))
}

async function compileProject(project) {
  try {
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', project], { cwd: join(project, '..') })
    return []
  } catch ({ stdout, message }) {
    return (stdout || message).trim().split('\n')
  }
}

/** What each program did, by its path, and how the process of all of them ended. */
async function runAll(programs, shop) {
  const task = JSON.stringify({
    shop,
    programs: programs.map(({ path, commands, inShop }) => ({ path, commands, inShop }))
  })
  const env = { ...process.env, SESSION_SECRET: 'a secret of tests with more than 32 signs' }
  const child = fork(join(root, 'scripts/docs/run-programs.mjs'), [task], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  const results = new Map()
  const output = []
  child.on('message', ({ path, ...result }) => results.set(path, result))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { results, code, output: output.join('') }
}

function compare(t, { place, prints, commands }, result) {
  const { error, printed, answers = [] } = result ?? { error: 'it was not run' }
  t.equal(error, undefined, `${place} runs`)
  for (const text of prints) t.match(printed, text, `${place} prints`)
  answers.forEach((answer, at) => t.equal(answer, commands[at].answer ?? answer, `${place}: ${commands[at].text}`))
}
