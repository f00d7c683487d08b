import { finished } from 'node:stream/promises'
import { memory } from '@modelwire/connector-memory'
import type { Connector } from '@modelwire/core/connector'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Case, RequestSpec } from './case.ts'
import { at, endName, generatedModels, me } from './models.ts'
import { idOf, isUnseen, nameOf, rowOf, type Worlds, worldsOf } from './sight.ts'
import { watchReads } from './watch-reads.ts'
import { describe, Difference, type Running, seek, show, startWorld, within } from './tell-apart.ts'

/** What changes in a world: one record, by its model and id. */
interface Step {
  readonly model: string
  readonly id: number | string
  readonly kind: 'create' | 'patch' | 'patch as many' | 'delete'
  readonly values: Readonly<Record<string, unknown>>
  /** The worlds where it happens. */
  readonly worlds: readonly number[]
}

/** Records that are seen change alike in both worlds, others in one of them, and stay unseen. */
function stepOf(request: RequestSpec, spec: Case, { first, unseen }: Worlds): Step | undefined {
  const definitions = generatedModels(spec)
  const definition = at(definitions, request.model)
  const id = idOf(spec, request.id)
  const { name: model } = definition
  const name = nameOf(model, id)
  const isThere = first.get(model)?.some((row) => row['id'] === id) === true
  const kind = at(['patch', 'patch', 'patch as many', 'delete'] as const, request.kind)
  if (isThere && !unseen.has(name)) return { model, id, kind, values: { n: request.data.values.n }, worlds: [0, 1] }
  const values = rowOf(definition, request.data.values, spec)
  if (!isUnseen(at(spec.models, request.model), values, spec.caller)) return undefined
  return { model, id, kind: unseen.has(name) ? kind : 'create', values, worlds: [request.other % 2] }
}

async function take(app: FastifyInstance, { model, id, kind, values }: Step): Promise<void> {
  const modelClass = app.models.get(model)
  const found = await modelClass.findById(id)
  if (kind === 'create' && found === null) await modelClass.create({ id, ...values })
  if (kind === 'patch') await found?.updateAttributes({ ...values })
  if (kind === 'patch as many') await modelClass.updateAll({ id }, { ...values })
  if (kind === 'delete') await modelClass.destroyById(id)
}

/** A stream of changes as its caller receives it. */
interface Stream {
  readonly text: () => string
  /** All of it, once it has ended; positions of events are random. */
  readonly told: () => Promise<string>
}

async function openStream(app: FastifyInstance, spec: Case, model: string, lastEventId?: string): Promise<Stream> {
  const answer = await app.inject({
    url: `/api/${model.toLowerCase()}/change-stream`,
    headers: {
      ...(spec.caller === 'anonymous' ? {} : { user: String(me) }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId })
    },
    payloadAsStream: true
  })
  let text = ''
  const stream = answer.stream().setEncoding('utf8')
  stream.on('data', (part: string) => (text += part))
  const told = async (): Promise<string> => {
    await finished(stream)
    return `${answer.statusCode} ${text.replaceAll(/^id: .*$/gm, 'id')}`
  }
  return { text: () => text, told }
}

/** Waits until the application has heard of all changes up to now: what a log has comes in the order of its entries. */
async function hearAll({ models }: FastifyInstance): Promise<void> {
  const end = models.get(endName)
  const count = await end.count()
  await new Promise<void>((resolve, reject) => {
    const stop = models.changes.subscribe(endName, () => {
      stop()
      resolve()
    })
    end.create({ id: count + 1 }).catch(reject)
  })
}

/**
 * Opens streams that go on behind the beginning of one, and behind the event in the middle. Where events are neither kept nor logged
 * there is nothing to go on from.
 */
async function comeBack(app: FastifyInstance, spec: Case, place: number, before: Stream): Promise<readonly Stream[]> {
  const { name: model, changeLog } = at(generatedModels(spec), place)
  if (!spec.keepsEvents && changeLog !== true) return []
  const ids = Array.from(before.text().matchAll(/^id: (\S+)$/gm), ([, id]) => id)
  const places = new Set([0, ids.length >> 1])
  return Promise.all([...places].flatMap((each) => ids[each] ?? []).map((id) => openStream(app, spec, model, id)))
}

/** What a caller is told of the steps, while it listens and when it comes back, by model. */
async function follow(
  app: FastifyInstance,
  spec: Case,
  steps: readonly Step[],
  settle: () => Promise<void>
): Promise<readonly string[]> {
  const names = generatedModels(spec).map(({ name }) => name)
  await hearAll(app)
  const live = await Promise.all(names.map((name) => openStream(app, spec, name)))
  for (const step of steps) await take(app, step)
  await hearAll(app)
  await settle()
  const late = await Promise.all(live.map((stream, place) => comeBack(app, spec, place, stream)))
  await settle()
  await app.close()
  return Promise.all([...live, ...late.flat()].map(({ told }) => told()))
}

async function checkStreams(t: Test, spec: Case, makeConnector: () => Promise<Connector>): Promise<void> {
  const worlds = worldsOf(spec, generatedModels(spec))
  const steps = spec.requests.map((request) => stepOf(request, spec, worlds)).filter((step) => step !== undefined)
  const told: (readonly string[])[] = []
  for (const [index, world] of [worlds.first, worlds.second].entries()) {
    const connector = await makeConnector()
    const settle = watchReads(connector)
    const app = await startWorld(t, spec, world, connector)
    const own = steps.filter((step) => step.worlds.includes(index))
    told.push(await follow(app, spec, own, settle))
  }
  if (show(told[0]) !== show(told[1]))
    throw new Difference([describe(spec, worlds), ...steps.map(show), show(told[0]), show(told[1])].join('\n'))
}

/** Looks for a case whose caller can tell two worlds apart by following changes; gives a description of the smallest one. */
export function followApart({ connector = async () => memory(), ...running }: Running): Promise<string> {
  return seek(running, (spec) => within((t) => checkStreams(t, withoutDependents(spec), connector)))
}

/** What is deleted along with a record is no change that the steps know of. */
const withoutDependents = (spec: Case): Case => ({
  ...spec,
  links: spec.links.map((link) => ({ ...link, onDelete: null }))
})
