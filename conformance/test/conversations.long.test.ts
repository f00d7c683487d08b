import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createServer } from '@modelwire/boot'
import { findRule, type AllowedDifference } from '#src/conversations/allowed-difference.ts'
import { compareAnswers, normalise } from '#src/conversations/compare-answers.ts'
import { makeApplication } from '#src/conversations/make-application.ts'
import { makeConversation } from '#src/conversations/make-conversation.ts'
import { randomFrom } from '#src/conversations/random.ts'
import { shrink, type Case } from '#src/conversations/shrink.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const rules = JSON.parse(
  readFileSync(join(root, 'conformance/allowed-differences.json'), 'utf8')
) as readonly AllowedDifference[]

const answer = (json: unknown, status = 200) => ({ status, headers: {}, body: JSON.stringify(json) })
const request = { kind: 'find', method: 'GET', path: '/api/Books' }

t.test('a seed makes the same application and the same requests again', async (t) => {
  const make = (seed: number) => {
    const { models, files } = makeApplication(randomFrom(seed))
    return { files, requests: makeConversation(randomFrom(seed), models, 10) }
  }
  t.strictSame(make(7), make(7))
  t.notSame(make(7), make(8))
})

t.test('generated folders start, and are emptied', async (t) => {
  for (const seed of [1, 2, 3]) {
    const dir = await mkdtemp(join(tmpdir(), 'conversations-test-'))
    t.teardown(() => rm(dir, { recursive: true }))
    const { models, files } = makeApplication(randomFrom(seed))
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(dir, path)), { recursive: true })
      await writeFile(join(dir, path), text)
    }
    const server = await createServer({ dir, logger: false })
    t.teardown(() => server.close())
    t.equal((await server.inject({ method: 'POST', url: '/reset' })).statusCode, 200)
    t.equal((await server.inject(`/api/${models[0]?.name ?? ''}s/count`)).json().count, 0)
  }
})

t.test('what varies from run to run is the same text', async (t) => {
  const now = new Date().toISOString()
  const given = { id: '0123456789abcdef01234567', at: now, old: '2020-01-01T00:00:00.000Z', n: [1, 'a'] }
  t.strictSame(normalise(given), { ...given, id: '<id>', at: '<now>' })
})

t.test('answers are compared value by value, and by the order of names only when nothing else differs', async (t) => {
  t.strictSame(compareAnswers(answer({ a: 1 }), answer({ a: 1 })), [])
  t.strictSame(compareAnswers(answer([{ a: 1 }]), answer([{ a: 2 }])), [{ at: '/0/a', loopback: 1, modelwire: 2 }])
  t.match(compareAnswers(answer({ a: 1, b: 2 }), answer({ b: 2, a: 1 })), [{ at: 'order ' }])
  t.match(compareAnswers(answer({}), answer({}, 404)), [{ at: 'status', loopback: 200, modelwire: 404 }])
  const error = (message: string) => answer({ error: { statusCode: 400, message } }, 400)
  t.strictSame(compareAnswers(error('one'), error('other')), [])
})

t.test('a rule applies where all of its expressions match', async (t) => {
  const seen = { request, loopback: answer({}, 500), modelwire: answer([]), files: {} }
  const difference = { at: 'status', loopback: 500, modelwire: 200 }
  t.match(findRule({ ...seen, difference }, rules), { mark: 'LoopBack is broken' })
  t.equal(findRule({ ...seen, difference: { ...difference, loopback: 404 } }, rules), undefined)
  t.equal(findRule({ ...seen, difference: { ...difference, modelwire: 500 } }, rules), undefined)
})

t.test('an include that access rules deny is a documented rule', async (t) => {
  const denied = answer({ error: { statusCode: 401, code: 'INCLUDE_DENIED' } }, 401)
  const seen = {
    request: { ...request, path: '/api/Books?filter={"include":"author"}' },
    loopback: answer([{ id: 1 }]),
    modelwire: denied,
    difference: { at: 'status', loopback: 200, modelwire: 401 },
    files: {}
  }
  t.match(findRule(seen, rules), { mark: 'security', rule: /INCLUDE_DENIED/ })
})

t.test('there are at most 30 rules, each marked and documented', async (t) => {
  t.ok(rules.length <= 30)
  t.equal(new Set(rules.map(({ rule }) => rule)).size, rules.length)
  for (const { rule, mark, document, when } of rules) {
    t.ok(['security', 'LoopBack is broken', 'documented'].includes(mark), rule)
    t.ok(existsSync(join(root, document.split('#')[0] ?? '')), rule)
    t.ok(when.length > 0 && when.every((each) => Object.keys(each).length > 0), rule)
  }
})

t.test('a difference is made small: requests, names in model files and what is sent', async (t) => {
  const json = { 'content-type': 'application/json' }
  const send = (data: object) => ({
    kind: 'create',
    method: 'POST',
    path: '/api/Books',
    headers: json,
    body: JSON.stringify(data)
  })
  const files = {
    'common/models/book.json': '{"name":"Book","properties":{"a":"number","b":"number"}}',
    'common/models/book.js': ''
  }
  const fails = async (one: Case) =>
    one.files['common/models/book.json']?.includes('"b"') === true &&
    one.requests.some(({ body = '' }) => body.includes('"x"'))
  const smallest = await shrink({ files, requests: [send({ a: 1 }), send({ a: 1, x: 2 }), send({ b: 1 })] }, fails)
  t.strictSame(smallest.requests, [send({ x: 2 })])
  t.strictSame(smallest.files, { 'common/models/book.json': '{"name":"Book","properties":{"b":"number"}}' })
})
