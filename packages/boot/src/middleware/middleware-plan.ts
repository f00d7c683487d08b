import type { RestOptions } from '@modelwire/rest'
import type { FastifyInstance } from 'fastify'
import type { AppFolder } from '../app-folder.ts'
import type { AddNote } from '../boot-report.ts'

/** One plugin, hook or route that a middleware becomes. */
export interface MiddlewareStep {
  /** For the report. */
  readonly label: string
  readonly register: (server: FastifyInstance) => Promise<void>
}

/** How errors are answered. */
export interface ErrorPlan {
  readonly options: NonNullable<RestOptions['errors']>
  /** Errors outside the REST API are shown as a page to clients that take anything (version 2). */
  readonly page: boolean
}

/** What the middleware of an application comes to on Fastify. */
export interface MiddlewarePlan {
  /** Mount paths of the REST API. */
  readonly restPaths: readonly string[]
  readonly errors: ErrorPlan
  /** Hooks and plugins, in the order in which requests meet them. */
  readonly steps: readonly MiddlewareStep[]
  /** `loopback#context`: `getCurrentContext` works (version 2). */
  readonly usesContext: boolean
}

/** A plan while it is made. */
export interface PlanDraft {
  readonly restPaths: string[]
  readonly steps: MiddlewareStep[]
  /** Parameters of the parts of helmet, by their old names. */
  readonly helmet: Map<string, unknown>
  errors: ErrorPlan | undefined
  usesContext: boolean
}

/** What planning needs besides the entry. */
export interface PlanContext {
  readonly version: 2 | 3
  readonly folder: AppFolder
  readonly add: AddNote
  /** Middleware that another package of this server honours. */
  readonly honoured: ReadonlySet<string>
}
