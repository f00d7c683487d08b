import type { ConversationRequest } from './plan.ts'
import { isObject } from '../is-object.ts'

/** What makes a difference: files and requests. */
export interface Case {
  readonly files: Readonly<Record<string, string>>
  readonly requests: readonly ConversationRequest[]
}

type StillFails = (one: Case) => Promise<boolean>
type Json = Record<string, unknown>

/** The first of the smaller cases that still shows the difference. */
async function firstFailing(cases: Iterable<Case>, stillFails: StillFails): Promise<Case | undefined> {
  for (const one of cases) if (await stillFails(one)) return one
  return undefined
}

/** Goes on to a smaller case as long as there is one. */
async function goDown(given: Case, smaller: (one: Case) => Iterable<Case>, stillFails: StillFails): Promise<Case> {
  const next = await firstFailing(smaller(given), stillFails)
  return next === undefined ? given : goDown(next, smaller, stillFails)
}

async function withoutRequests(given: Case, size: number, stillFails: StillFails): Promise<Case> {
  if (size < 1) return given
  let kept = given
  for (let at = kept.requests.length - size; at >= 0; at -= size) {
    const smaller = { ...kept, requests: kept.requests.toSpliced(at, size) }
    kept = (await stillFails(smaller)) ? smaller : kept
  }
  return withoutRequests(kept, Math.floor(size / 2), stillFails)
}

const needed = ['name', 'base', 'type', 'model']

/** Every version of a JSON object with one name less, down to the third level. */
function* withOneLess(json: Json, depth = 3): Generator<Json> {
  for (const [name, value] of Object.entries(json).filter(([one]) => !needed.includes(one))) {
    const { [name]: _, ...rest } = json
    yield rest
    const inner = depth > 1 && isObject(value) ? withOneLess(value, depth - 1) : []
    for (const less of inner) yield { ...json, [name]: less }
  }
}

function* withoutScript({ files, requests }: Case): Generator<Case> {
  for (const path of Object.keys(files).filter((one) => /\/(?:models\/.*|boot\/nest)\.js$/.test(one))) {
    const { [path]: _, ...rest } = files
    yield { requests, files: rest }
  }
}

function* withLessInModels({ files, requests }: Case): Generator<Case> {
  for (const [path, text] of Object.entries(files).filter(([one]) => /^common\/models\/.*\.json$/.test(one))) {
    const json = JSON.parse(text) as Json // A model file is an object.
    for (const less of withOneLess(json)) yield { requests, files: { ...files, [path]: JSON.stringify(less) } }
  }
}

function* withLessSent({ files, requests }: Case): Generator<Case> {
  for (const [at, request] of requests.entries()) {
    const data: unknown =
      request.headers?.['content-type'] === 'application/json' ? JSON.parse(request.body ?? 'null') : undefined
    if (!isObject(data)) continue
    for (const less of withOneLess(data, 1))
      yield { files, requests: requests.with(at, { ...request, body: JSON.stringify(less) }) }
  }
}

/** A smaller case of the same difference: fewer requests, scripts, names in model files and properties sent. */
export async function shrink(given: Case, stillFails: StillFails): Promise<Case> {
  const short = await withoutRequests(given, Math.ceil(given.requests.length / 2), stillFails)
  const plain = await goDown(short, withoutScript, stillFails)
  const small = await goDown(plain, withLessInModels, stillFails)
  const least = await goDown(small, withLessSent, stillFails)
  return withoutRequests(least, 1, stillFails)
}
