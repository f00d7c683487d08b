// The way back: Modelwire writes, then a real LoopBack 3.28 starts again on what was written, and the same reads are asked.
//   node conformance/behind/way-back.mjs --loopback DIR --database postgres://… [--tables modelwire]
// Tables are made by LoopBack, or by `modelwire migrate` in a database that is empty.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compareAnswers } from '../../packages/cli/dist/diff/compare.js'
import { ignoreRules } from '../../packages/cli/dist/diff/ignore-rules.js'
import { end, makeFolder, startNew, startOld } from './start-servers.mjs'

const { values } = parseArgs({
  options: {
    loopback: { type: 'string' },
    database: { type: 'string' },
    tables: { type: 'string', default: 'loopback' },
    port: { type: 'string', default: '3500' }
  }
})
const { loopback, database, tables } = values
if (loopback === undefined || database === undefined) throw new Error('give --loopback and --database')
const [port, oldPort] = [Number(values.port), Number(values.port) + 1]
const command = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))

async function send(to, method, path, body, headers = {}) {
  const response = await fetch(`http://127.0.0.1:${to}${path}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) })
  })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

const json = ({ text }) => JSON.parse(text || 'null')
const filter = (value) => `filter=${encodeURIComponent(JSON.stringify(value))}`
const credentials = { email: 'anna@x.org', password: 'geheim-1' }

/** Writes with every kind of value that the models have, and gives the reads that show them. */
async function write(to) {
  const post = async (path, body, headers) => json(await send(to, 'POST', path, body, headers))
  const member = await post('/api/Members', { ...credentials, username: 'anna' })
  const { id: token } = await post('/api/Members/login', credentials)
  const headers = { authorization: token }
  const author = await post('/api/Authors', {
    name: 'Ä "quoted" \u2028 😀',
    born: '1960-02-29T12:34:56.789Z',
    active: false,
    address: { city: 'X', list: [1, null, { a: '' }] }
  })
  await post('/api/Authors', [{ name: 'bare' }, { name: 'nulls', born: null, active: null, address: null }])
  const book = await post(`/api/Authors/${author.id}/books`, {
    title: 'T',
    pages: 400,
    price: 12,
    tags: ['a', 'b c', ''],
    isbn: ''
  })
  await send(to, 'PATCH', `/api/Books/${book.id}`, { isbn: '978', pages: 401 })
  await post('/api/Books', { title: 'no author', tags: [] })
  const { id: gone } = await post('/api/Books', { title: 'gone' })
  await send(to, 'DELETE', `/api/Books/${gone}`)
  const note = await post('/api/Notes', { text: 'mine', memberId: member.id }, headers)
  await send(
    to,
    'POST',
    '/api/Members/change-password',
    { oldPassword: credentials.password, newPassword: 'geheim-2' },
    headers
  )
  const reads = readsOf({ gone, member, note })
  return { headers, member, author, note, reads }
}

/** Reads that show everything that was written. */
function readsOf({ gone, member, note }) {
  return [
    '/api/Authors',
    `/api/Authors?${filter({ where: { active: false } })}`,
    `/api/Authors?${filter({ where: { born: '1960-02-29T12:34:56.789Z' }, include: 'books' })}`,
    '/api/Books?filter[order]=id',
    `/api/Books?${filter({ where: { pages: { gt: 400 } }, include: 'author' })}`,
    `/api/Books?${filter({ where: { title: { like: '%auth%' } } })}`,
    '/api/Books/long',
    `/api/Books/${gone}`,
    `/api/Notes/${note.id}`,
    `/api/Members/${member.id}`,
    `/api/Members/${member.id}/notes`,
    `/api/Members/${member.id}/accessTokens`
  ]
}

/** What LoopBack does with the data afterwards. */
async function useOld({ headers, member, author, note }) {
  const results = {}
  const record = (name, { status, text }) => (results[name] = `${status} ${text.slice(0, 120)}`)
  record('the token still counts', await send(oldPort, 'GET', `/api/Members/${member.id}`, undefined, headers))
  record(
    'the new password',
    await send(oldPort, 'POST', '/api/Members/login', { ...credentials, password: 'geheim-2' })
  )
  record('the password before', await send(oldPort, 'POST', '/api/Members/login', credentials))
  record('create continues the ids', await send(oldPort, 'POST', '/api/Authors', { name: 'after' }))
  record('patch', await send(oldPort, 'PATCH', `/api/Authors/${author.id}`, { active: true }))
  record('own note', await send(oldPort, 'PATCH', `/api/Notes/${note.id}`, { done: true }, headers))
  record('logout', await send(oldPort, 'POST', '/api/Members/logout', undefined, headers))
  record('after logout', await send(oldPort, 'GET', `/api/Members/${member.id}`, undefined, headers))
  return results
}

async function main() {
  const dir = makeFolder(loopback)
  const env = { DATABASE_URL: database }
  if (tables === 'loopback') await end(await startOld(dir, oldPort, { ...env, MIGRATE: '1' }))
  else
    execFileSync(process.execPath, [command, 'migrate', dir, '--yes'], {
      env: { ...process.env, ...env },
      stdio: 'inherit'
    })
  const now = await startNew(dir, { port, token: 'x' }, env)
  const written = await write(port)
  const before = []
  for (const path of written.reads) before.push(await send(port, 'GET', path, undefined, written.headers))
  await end(now)
  const old = await startOld(dir, oldPort, env)
  try {
    for (const [at, path] of written.reads.entries()) {
      const answer = await send(oldPort, 'GET', path, undefined, written.headers)
      const differences = compareAnswers(answer, before[at], ignoreRules({}))
      console.log(path, answer.status, differences.length === 0 ? 'as before' : differences)
    }
    console.log(await useOld(written))
  } finally {
    await end(old)
    rmSync(dir, { recursive: true, force: true })
  }
}

await main()
