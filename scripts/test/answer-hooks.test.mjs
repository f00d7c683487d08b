import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../docs/markdown-files.mjs'

/** The files that may write hooks in Fastify's words: what makes all others, and what has answers replaced of requests that are refused. */
const makers = ['packages/server/src/requests/answers.ts', 'packages/oauth2/src/resource/late-refusals.ts']

/** Hooks that run once a request was carried out, and whose errors take the place of its answer. */
const lateHook = String.raw`(?:onSend|preSerialization)`
const typeOfHook = new RegExp(String.raw`\b${lateHook}(?:Async)?HookHandler\b`)
/** What is added or assigned as such a hook, up to the end of its line. */
const added = new RegExp(String.raw`addHook\(\s*'${lateHook}',\s*(.*)|\.${lateHook} = (.*)|\b${lateHook}: (.*)`, 'g')
/** A hook of `answerHook`, by its call, by its type, or by a name. */
const isMade = (text) => !/=>|\bfunction\b|\basync\b/.test(text.replace(/^answerHook\(.*/, ''))

/** The places of a source that hang work on an answer by another way than `answerHook`. */
function findOtherWays(source) {
  const types = typeOfHook.test(source) ? ["a type of Fastify's own: use AnswerHook"] : []
  const written = [...source.matchAll(added)].map((match) => match.slice(1).find((text) => text !== undefined))
  const named = written.filter((text) => /^\w+\)?$/.test(text)).map((text) => text.replace(')', ''))
  const unknown = named.filter((name) => new RegExp(String.raw`\b${name} = (?!answerHook\()`).test(source))
  return [...types, ...written.filter((text) => !isMade(text)), ...unknown]
}

const sources = readdirSync(join(root, 'packages'))
  .map((name) => join('packages', name, 'src'))
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name))
  )

t.test('work about an answer is hung on it by answerHook alone', async (t) => {
  const found = sources.map((path) => [path, readFileSync(join(root, path), 'utf8')])
  const others = found.filter(([path, text]) => !makers.includes(path) && findOtherWays(text).length > 0)
  t.same(
    others.map(([path, text]) => `${path}: ${findOtherWays(text).join('; ')}`),
    []
  )
  t.ok(found.filter(([, text]) => text.includes("addHook('onSend'") || /\bonSend\b.*[:=]/.test(text)).length > 5)
})

const wrong = [
  "app.addHook('onSend', async (request) => note(request))",
  "app.addHook('onSend', (request, reply, payload, done) => {",
  "scope.addHook('preSerialization', async (request, reply, payload) => keep(payload))",
  'route.onSend = [route.onSend, async () => keep()]',
  'return { preHandler, onSend: (request, reply, payload, done) => {',
  "const keep = async () => {}\napp.addHook('onSend', keep)",
  "import type { onSendHookHandler } from 'fastify'",
  "import type { preSerializationAsyncHookHandler } from 'fastify'"
]
for (const source of wrong) t.test(`finds ${source}`, async (t) => t.not(findOtherWays(source).length, 0))

const right = [
  "app.addHook('onSend', answerHook('a note', (request) => note(request)))",
  "const keep = answerHook('a note', async (request) => note(request))\napp.addHook('onSend', keep)",
  "scope.addHook('onSend', rateLimitFields(timeWindow))",
  'route.onSend = [...[route.onSend ?? []].flat(), measure]',
  'readonly onSend: AnswerHook',
  'return { preHandler, onSend: hooks.keep }'
]
for (const source of right) t.test(`leaves ${source}`, async (t) => t.same(findOtherWays(source), []))
