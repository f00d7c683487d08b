import { memory } from '@modelwire/connector-memory'
import type { Connector } from '@modelwire/core/connector'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Case, RequestSpec } from './case.ts'
import { at, generatedModels, me } from './models.ts'
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

/** What a caller is told of the steps, by model; positions of events are random. */
async function follow(
  app: FastifyInstance,
  spec: Case,
  steps: readonly Step[],
  settle: () => Promise<void>
): Promise<readonly string[]> {
  const headers = spec.caller === 'anonymous' ? {} : { user: String(me) }
  const answers = generatedModels(spec).map(({ name }) =>
    app.inject({ url: `/api/${name.toLowerCase()}/change-stream`, headers })
  )
  await settle()
  for (const step of steps) await take(app, step)
  await settle()
  await app.close()
  const told = await Promise.all(answers)
  return told.map(({ statusCode, payload }) => `${statusCode} ${payload.replaceAll(/^id: .*$/gm, '')}`)
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
export function followApart({ requests, connector = async () => memory(), ...running }: Running): Promise<string> {
  return seek(requests, running, (spec) => within((t) => checkStreams(t, withoutDependents(spec), connector)))
}

/** What is deleted along with a record is no change that the steps know of. */
const withoutDependents = (spec: Case): Case => ({
  ...spec,
  links: spec.links.map((link) => ({ ...link, onDelete: null }))
})
