import { entryOf, type ScriptMount } from '@modelwire/loopback-express'
import type { FastifyInstance } from 'fastify'
import type { MiddlewarePlan, MiddlewareStep, PlanContext } from './middleware-plan.ts'
import { planMiddleware } from './plan-middleware.ts'
import { answerStatus } from './status-route.ts'

/** True where an explorer among the mounts has the path. */
const hasExplorer = (mounts: readonly ScriptMount[], path: string): boolean =>
  mounts.some((mount) => mount.kind === 'explorer' && mount.path === path)

const statusStep = ({ path }: ScriptMount): MiddlewareStep => ({
  label: `status at ${path}`,
  register: async (server: FastifyInstance) => answerStatus(server, path)
})

/**
 * What the handlers that scripts mounted come to on Fastify. Explorers are registered later; where one has the path of a status, the
 * one that was mounted first answers.
 */
export function planMounts(mounts: readonly ScriptMount[], context: PlanContext): MiddlewarePlan {
  const isContested = ({ kind, path }: ScriptMount): boolean => kind === 'status' && hasExplorer(mounts, path)
  const regular = mounts.filter((mount) => mount.kind !== 'explorer' && !isContested(mount))
  const ahead = mounts.filter((mount, index) => isContested(mount) && !hasExplorer(mounts.slice(0, index), mount.path))
  const plan = planMiddleware(regular.map(entryOf), context)
  return { ...plan, steps: [...plan.steps, ...ahead.map(statusStep)] }
}
