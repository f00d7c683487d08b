import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findDifference, type SeenAnswer } from './compare-answers.ts'
import { prepareApp } from './prepare-app.ts'
import { readEvents, type ReadingEvents } from './read-events.ts'
import type { RecordedAnswer, Scenario, Step } from './scenario.ts'

/** Writes ids in place of others, where an application makes other ids than those that were recorded. */
export interface IdTranslation {
  /** A path with its query. */
  readonly path: (path: string) => string
  /** The JSON of a request to a path. */
  readonly body: (body: string, path: string) => string
  /** The text of an answer, or of a header. */
  readonly answer: (text: string) => string
}

/** A running application: `url` without a slash at the end. */
export interface RunningApp {
  readonly url: string
  readonly close: () => Promise<void>
  readonly ids?: IdTranslation
}

/** Starts an application folder. `conformance/adapter.mjs` exports one. */
export type StartApp = (options: { appDir: string; version: 2 | 3; env: string }) => Promise<RunningApp>

/** A step whose answer was none of the accepted ones. */
export interface Failure {
  /** Which of the scenario's steps it is, from 0; absent where the application started or did not. */
  readonly at?: number
  readonly step: string
  readonly why: string
  /** What was asked and answered; absent where the application started or did not. */
  readonly exchange?: Exchange
}

/** A step's request, the answers that are accepted for it, and the one that came, with saved values filled in. */
export interface Exchange {
  readonly request: Step['request']
  readonly accepted: readonly RecordedAnswer[]
  readonly seen: SeenAnswer
}

/** Longer than any answer takes: some are never given. */
const answerTimeoutMs = 20_000

type Saved = Record<string, unknown>

/** What the steps of one conversation share. */
interface Conversation {
  readonly url: string
  readonly ids: IdTranslation
  readonly saved: Saved
  /** Streams that are read beside the next steps, the oldest first. */
  readonly streams: ReadingEvents[]
}

const fillText = (text: string, saved: Saved): string =>
  text.replace(/\$\{(\w+)\}/g, (whole, name: string) => (name in saved ? String(saved[name]) : whole))

/** Replaces `${name}` by what an earlier step saved; a text that is nothing else becomes the value itself. */
function fill(value: unknown, saved: Saved): unknown {
  if (value === undefined) return undefined
  const filled = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'string') return part
    const alone = /^\$\{(\w+)\}$/.exec(part)?.[1]
    return alone !== undefined && alone in saved ? saved[alone] : fillText(part, saved)
  })
  return JSON.parse(filled)
}

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | null | undefined)?.[key], value)

function requestBody({ json, form, body }: Step['request'], saved: Saved): { type?: string; body?: string } {
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(fill(json, saved)) }
  if (form !== undefined)
    return {
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams(fill(form, saved) as Record<string, string>).toString()
    }
  return body === undefined ? {} : { body: fillText(body, saved) }
}

const asTheyAre: IdTranslation = { path: (path) => path, body: (body) => body, answer: (text) => text }

async function fetchAnswer({ url, saved, ids }: Conversation, step: Step['request']): Promise<Response> {
  const { type, body } = requestBody(step, saved)
  const path = fillText(step.path ?? '', saved)
  return fetch(url + ids.path(path), {
    method: step.method ?? 'GET',
    redirect: 'manual',
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(fill(step.headers ?? {}, saved) as Record<string, string>)
    },
    ...(body === undefined ? {} : { body: step.json === undefined ? body : ids.body(body, path) }),
    ...(step.events === undefined && { signal: AbortSignal.timeout(answerTimeoutMs) })
  })
}

/** Status 0: nothing was answered. */
async function send(conversation: Conversation, step: Step['request']): Promise<SeenAnswer> {
  try {
    return await readAnswer(conversation, await fetchAnswer(conversation, step), step)
  } catch (error) {
    return { status: 0, type: '', headers: {}, text: `no answer: ${String(error)}` }
  }
}

async function readAnswer(
  { streams, ids }: Conversation,
  response: Response,
  request: Step['request']
): Promise<SeenAnswer> {
  const seenType = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  const headers = [...response.headers].map(([name, value]) => [name, ids.answer(value)])
  const answer = {
    status: response.status,
    type: seenType,
    headers: Object.fromEntries(headers) as SeenAnswer['headers']
  } // texts
  if (request.events !== undefined) {
    streams.push(readEvents(response, request.events))
    return { ...answer, text: undefined }
  }
  const text = ids.answer(await response.text())
  if (!/json/.test(seenType)) return { ...answer, text: text === '' ? undefined : text }
  try {
    return { ...answer, json: JSON.parse(text) as unknown }
  } catch {
    return { ...answer, text }
  }
}

/** The accepted answers of a step, with saved values filled in. An empty recorded text is an absent one. */
function accepted(step: Step, saved: Saved): readonly RecordedAnswer[] {
  const answers = [step.response, ...[step.better ?? []].flat()] as RecordedAnswer[]
  return answers.map((answer) => {
    const { text, ...rest } = fill(answer, saved) as RecordedAnswer
    return text === undefined || text === '' || step.ignoreBody === true ? rest : { ...rest, text }
  })
}

async function readStream({ streams, ids }: Conversation): Promise<SeenAnswer> {
  const read = await streams.shift()?.finish()
  const events = read && (JSON.parse(ids.answer(JSON.stringify(read))) as unknown[]) // as it was
  return { status: 0, type: '', headers: {}, text: undefined, events }
}

async function runStep(conversation: Conversation, step: Step): Promise<Failure | undefined> {
  const { request } = step
  const { saved } = conversation
  if (step.wait !== undefined) await pause(step.wait)
  const seen = step.events === 'read' ? await readStream(conversation) : await send(conversation, request)
  const answers = accepted(step, saved)
  const reasons = answers.map((answer) => findDifference(answer, seen))
  const path = fillText(request.path ?? '', saved)
  for (const [name, pointer] of Object.entries(step.save ?? {})) {
    saved[name] = pointer.startsWith('header:')
      ? seen.headers[pointer.slice('header:'.length)]
      : valueAt(seen.json, pointer)
  }
  if (reasons.includes(undefined)) return undefined
  const name = step.name ?? `${request.method ?? 'GET'} ${request.path ?? 'events'}`
  return { step: name, why: reasons[0] ?? '', exchange: { request: { ...request, path }, accepted: answers, seen } }
}

async function runSteps({ steps }: Scenario, { url, ids = asTheyAre }: RunningApp): Promise<readonly Failure[]> {
  const conversation: Conversation = { url, ids, saved: {}, streams: [] }
  const failures: Failure[] = []
  for (const [at, step] of steps.entries()) {
    const failure = await runStep(conversation, step)
    if (failure !== undefined) failures.push({ at, ...failure })
  }
  return failures
}

/** Replays one scenario against a fresh copy of its application and tells what differs. */
export async function replay(scenario: Scenario, appsDir: string, start: StartApp): Promise<readonly Failure[]> {
  const app = await prepareApp(join(appsDir, scenario.app), scenario.patch)
  const options = { appDir: app.dir, version: scenario.version ?? 3, env: scenario.env ?? 'development' } as const
  try {
    if (scenario.bootFails === true) {
      const running = await start(options).catch(() => undefined)
      await running?.close()
      return running === undefined ? [] : [{ step: 'start', why: 'the application started' }]
    }
    const running = await start(options)
    const failures = await runSteps(scenario, running)
    await running.close()
    return failures
  } finally {
    await app.remove()
  }
}
