// Mixed requests through `modelwire serve --behind` while routes are handed over and back: every answer to a read is held
// against that of the old server, which is asked directly.
//   node conformance/behind/load.mjs --loopback DIR --database postgres://… [--requests 10000] [--clients 20]
import { readFileSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareAnswers } from '../../packages/cli/dist/diff/compare.js'
import { ignoreRules } from '../../packages/cli/dist/diff/ignore-rules.js'
import { end, makeFolder, startNew, startOld } from './start-servers.mjs'

const { values } = parseArgs({
  options: {
    loopback: { type: 'string' },
    database: { type: 'string' },
    requests: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '20' },
    port: { type: 'string', default: '3400' }
  }
})
const { loopback, database } = values
if (loopback === undefined || database === undefined) throw new Error('give --loopback and --database')
const total = Number(values.requests)
const [front, oldPort, control] = [0, 1, 2].map((at) => Number(values.port) + at)
const token = 'load'
const rules = ignoreRules({})
const counts = { sent: 0, reads: 0, writes: 0, lost: 0, serverErrors: 0, differing: 0, statuses: {} }
const found = new Map()

async function send(port, { method, path, body, headers }) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) })
  })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

async function ask(request) {
  counts.sent += 1
  try {
    const answer = await send(front, request)
    counts.statuses[answer.status] = (counts.statuses[answer.status] ?? 0) + 1
    if (answer.status >= 500) counts.serverErrors += 1
    return answer
  } catch (error) {
    counts.lost += 1
    console.error('lost', request.method, request.path, error.cause ?? error)
    return { status: 0, headers: {}, text: '{}' }
  }
}

async function read(path, headers, method = 'GET') {
  counts.reads += 1
  const request = { method, path, headers }
  const answer = await ask(request)
  const differences = compareAnswers(await send(oldPort, request), answer, rules)
  if (differences.length === 0) return
  counts.differing += 1
  for (const { kind, where } of differences) {
    const key = `${kind} ${where.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`
    found.set(key, [...(found.get(key) ?? []), `${method} ${path}`])
  }
}

async function write(method, path, body, headers) {
  counts.writes += 1
  const answer = await ask({ method, path, body, headers })
  return JSON.parse(answer.text || '{}')
}

const filter = (value) => `filter=${encodeURIComponent(JSON.stringify(value))}`

/** One client, with records of its own, so that only it changes what it reads. */
async function beClient(number, round) {
  const email = `c${number}-${round}@x.org`
  const account = { email, password: 'secret-1' }
  const member = await write('POST', '/api/Members', account)
  const { id: session } = await write('POST', '/api/Members/login', account)
  const address = { a: [1, null] }
  const author = await write('POST', '/api/Authors', { name: email, born: '1960-01-01', active: true, address })
  for (let at = 0; at < 4; at += 1) await useBook(author, at, email)
  await useNotes(member, session)
  for (const path of ['?filter=nonsense', `/${author.id}0000000`, '/abc']) await read(`/api/Books${path}`)
  await read('/api/Nowhere')
  await read('/')
  await write('POST', '/api/Members/logout', undefined, { authorization: session })
  await read(`/api/Members/${member.id}`, { authorization: session })
}

async function useBook(author, at, email) {
  const draft = { title: `T ${at} of ${email}`, pages: at * 200, price: at * 3, tags: ['x', 'y'] }
  const book = await write('POST', `/api/Authors/${author.id}/books`, draft)
  const mine = { where: { authorId: author.id } }
  await read(`/api/Books/${book.id}`)
  await write('PATCH', `/api/Books/${book.id}`, { pages: 7 + at, isbn: null })
  await read(`/api/Books?${filter({ ...mine, order: 'pages DESC', include: 'author' })}`)
  await read(`/api/Books/count?where=${encodeURIComponent(JSON.stringify(mine.where))}`)
  await read(`/api/Authors/${author.id}?${filter({ include: 'books' })}`)
  await read(`/api/Authors/${author.id}/books?${filter({ fields: ['id', 'title'], order: 'id' })}`)
  await read(`/api/Books/${book.id}/author`)
  await read(`/api/Books/${book.id}`, {}, 'HEAD')
  await read(`/api/Books/${book.id}/exists`)
  await read(`/api/Books/search?text=${encodeURIComponent(`${at} of ${email}`)}`)
  await write('PUT', `/api/Books/${book.id}`, { title: 'replaced', authorId: author.id })
  await read(`/api/Books/findOne?${filter({ where: { id: book.id } })}`)
}

async function useNotes(member, session) {
  const headers = { authorization: session }
  const note = await write('POST', '/api/Notes', { text: 'mine', memberId: member.id }, headers)
  for (const credentials of [headers, {}])
    for (const path of [`/Notes/${note.id}`, `/Members/${member.id}`, `/Members/${member.id}/notes`])
      await read(`/api${path}`, credentials)
  await read(`/api/Members/${member.id}?access_token=${session}`)
  await write('DELETE', `/api/Notes/${note.id}`, undefined, headers)
  await read(`/api/Notes/${note.id}`, headers)
}

async function controlled(path, body) {
  const answer = await fetch(`http://127.0.0.1:${control}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) })
  })
  return answer.json()
}

/** Switches routes over and back, at random and all at once, until the clients are through. */
async function keepMoving(isOver, names) {
  let moves = 0
  while (!isOver()) {
    const owner = Math.random() < 0.5 ? 'new' : 'old'
    const routes = names.filter(() => Math.random() < 0.3)
    const { changed } = await controlled(
      '/handover',
      Math.random() < 0.1 ? { owner, all: true } : { owner, routes: [...routes, names[0]] }
    )
    moves += changed.length
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return moves
}

async function main() {
  const dir = makeFolder(loopback)
  const env = { DATABASE_URL: database }
  const migrating = await startOld(dir, oldPort, { ...env, MIGRATE: '1' })
  await end(migrating)
  const old = await startOld(dir, oldPort, env)
  const now = await startNew(dir, { port: front, old: oldPort, control, token }, env)
  try {
    const { routes } = await controlled('/state')
    const names = routes.map(({ name }) => name).filter((name) => name !== 'other')
    let over = false
    const moving = keepMoving(() => over, names)
    const began = Date.now()
    const client = async (number) => {
      for (let round = 0; counts.sent < total; round += 1) await beClient(number, round)
    }
    await Promise.all(Array.from({ length: Number(values.clients) }, (_, number) => client(number)))
    over = true
    const seconds = (Date.now() - began) / 1000
    await report(await moving, seconds, now)
  } finally {
    await end(now)
    await end(old)
    rmSync(dir, { recursive: true, force: true })
  }
}

async function report(moves, seconds, now) {
  let state
  for (let tries = 0; tries < 30; tries += 1) {
    state = await controlled('/state')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { groups, latest } = await controlled('/differences')
  const sum = (pick) => state.routes.reduce((all, route) => all + pick(route), 0)
  const reasons = {}
  for (const { notCompared } of state.routes)
    for (const [reason, count] of Object.entries(notCompared)) reasons[reason] = (reasons[reason] ?? 0) + count
  console.log(counts, { seconds, moves })
  console.log('page', { equal: sum((route) => route.equal), different: sum((route) => route.different), reasons })
  console.log('answered', { old: sum((route) => route.answered.old), new: sum((route) => route.answered.new) })
  for (const route of state.routes)
    if (route.different > 0 || route.serverErrors > 0 || route.cause === 'error') console.log(route)
  console.log(
    'by error',
    state.routes.filter(({ cause }) => cause === 'error').map(({ name }) => name)
  )
  const named = new Set(groups.map(({ kind, where }) => `${kind} ${where}`))
  console.log(
    'differences of the page',
    groups,
    latest.slice(0, 3).map(({ request, differences }) => ({ path: request.path, differences }))
  )
  console.log(
    'differences that were found',
    [...found].map(([key, paths]) => ({ key, times: paths.length, such: paths.slice(0, 3), named: named.has(key) }))
  )
  console.log('memory', readFileSync(`/proc/${now.child.pid}/status`, 'utf8').match(/VmHWM:\s+(.*)/)?.[1])
  const unnamed = [...found.keys()].filter((key) => !named.has(key))
  process.exitCode = unnamed.length + counts.lost > 0 ? 1 : 0
}

await main()
