// Opens databases that real LoopBack 3 made with Modelwire, and the other way round, and prints what differs. See README.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isDeepStrictEqual } from 'node:util'
import { openDatabase } from './open-database.mjs'
import { call, readAnswers, requests, withNumbers } from './read-answers.mjs'

process.env.TZ = 'UTC'
const here = import.meta.dirname

/** Each side has a process of its own: two libraries of SQLite in one would take each other's locks away. */
async function start(side, settings) {
  const child = spawn(process.execPath, [join(here, 'serve.mjs'), side, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (command) => {
    child.stdin.write(`${command}\n`)
    const { value } = await lines.next()
    if (value === undefined) throw new Error(`${side} ended`)
    return value
  }
  return {
    url: await ask('start'),
    migrate: () => ask('migrate'),
    close: async () => {
      await ask('close')
      child.stdin.end()
      await once(child, 'exit')
    }
  }
}

/** Writes everything and returns the token of the login. */
async function fill({ url, migrate }, database) {
  await migrate()
  let token
  for (const [method, path, body] of requests.writes) {
    const answer = await call(url, method, path, body)
    if (answer.status >= 400) console.log(`  ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    // LoopBack's SQLite connector answers an insert by the number of the row, whatever its id is.
    if (path.endsWith('/login')) token = database.lastToken?.() ?? answer.body.id
  }
  return token
}

function compare(expected, seen) {
  const differing = Object.keys(expected).filter(
    (path) => !isDeepStrictEqual(withNumbers(expected[path]), withNumbers(seen[path]))
  )
  for (const path of differing)
    console.log(`  ${path}\n    maker:  ${JSON.stringify(expected[path])}\n    opener: ${JSON.stringify(seen[path])}`)
  console.log(
    `  ${Object.keys(expected).length - differing.length} of ${Object.keys(expected).length} answers are equal`
  )
  return differing.length
}

/** One server makes and fills a database, reads it, and the other one reads it. */
async function exchange(kind, { maker: making, opener: opening }, { keep }) {
  const database = await openDatabase(kind)
  try {
    const maker = await start(making, database.settings)
    const token = await fill(maker, database)
    const dump = keep ? database.dump() : undefined
    const expected = await readAnswers(maker.url, token)
    await maker.close()
    if (keep) {
      mkdirSync(join(here, 'dumps'), { recursive: true })
      writeFileSync(join(here, `dumps/${kind}.sql`), dump)
      writeFileSync(
        join(here, `dumps/${kind}.answers.json`),
        `${JSON.stringify({ token, answers: expected }, undefined, 2)}\n`
      )
    }
    const opener = await start(opening, database.settings)
    const seen = await readAnswers(opener.url, token)
    await opener.close()
    return compare(expected, seen)
  } finally {
    await database.drop()
  }
}

const kinds = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const keep = process.argv.includes('--keep')
let differing = 0
for (const kind of kinds.length > 0 ? kinds : ['postgresql', 'mysql', 'sqlite3']) {
  console.log(`${kind}: made by LoopBack, opened by Modelwire`)
  differing += await exchange(kind, { maker: 'loopback', opener: 'modelwire' }, { keep })
  console.log(`${kind}: made by Modelwire, opened by LoopBack`)
  differing += await exchange(kind, { maker: 'modelwire', opener: 'loopback' }, { keep: false })
}
process.exit(differing > 0 ? 1 : 0)
