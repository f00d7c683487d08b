import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findDifference, type SeenAnswer } from './compare-answers.ts'
import { prepareApp } from './prepare-app.ts'
import { readEvents, type ReadingEvents } from './read-events.ts'
import type { RecordedAnswer, Scenario, Step } from './scenario.ts'

/** A running application: `url` without a slash at the end. */
export interface RunningApp {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts an application folder. `conformance/adapter.mjs` exports one. */
export type StartApp = (options: { appDir: string; version: 2 | 3; env: string }) => Promise<RunningApp>

/** A step whose answer was none of the accepted ones. */
export interface Failure {
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

type Saved = Record<string, unknown>

/** What the steps of one conversation share. */
interface Conversation {
  readonly url: string
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

const at = (value: unknown, pointer: string): unknown =>
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

async function send({ url, saved, streams }: Conversation, request: Step['request']): Promise<SeenAnswer> {
  const { type, body } = requestBody(request, saved)
  const response = await fetch(url + fillText(request.path ?? '', saved), {
    method: request.method ?? 'GET',
    redirect: 'manual',
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(fill(request.headers ?? {}, saved) as Record<string, string>)
    },
    ...(body === undefined ? {} : { body })
  })
  const seenType = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  const answer = { status: response.status, type: seenType, headers: Object.fromEntries(response.headers) }
  if (request.events !== undefined) {
    streams.push(readEvents(response, request.events))
    return { ...answer, text: undefined }
  }
  const text = await response.text()
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

async function readStream({ streams }: Conversation): Promise<SeenAnswer> {
  return { status: 0, type: '', headers: {}, text: undefined, events: await streams.shift()?.finish() }
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
    saved[name] = pointer.startsWith('header:') ? seen.headers[pointer.slice('header:'.length)] : at(seen.json, pointer)
  }
  if (reasons.includes(undefined)) return undefined
  const name = step.name ?? `${request.method ?? 'GET'} ${request.path ?? 'events'}`
  return { step: name, why: reasons[0] ?? '', exchange: { request: { ...request, path }, accepted: answers, seen } }
}

async function runSteps({ steps }: Scenario, url: string): Promise<readonly Failure[]> {
  const conversation: Conversation = { url, saved: {}, streams: [] }
  const failures: Failure[] = []
  for (const step of steps) {
    const failure = await runStep(conversation, step)
    if (failure !== undefined) failures.push(failure)
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
    const failures = await runSteps(scenario, running.url)
    await running.close()
    return failures
  } finally {
    await app.remove()
  }
}
