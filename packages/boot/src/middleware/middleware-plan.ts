import type { RestOptions } from '@modelwire/rest'
import type { FastifyInstance } from 'fastify'
import type { AppFolder } from '../app-folder.ts'
import type { AddNote } from '../boot-report.ts'
import type { MiddlewareEntry } from '@modelwire/loopback-express'

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
  /** They have the shape of version 3, whatever the version of the application. */
  readonly inVersion3: boolean
}

/** What the middleware of an application comes to on Fastify. */
export interface MiddlewarePlan {
  /** Mount paths of the REST API. */
  readonly restPaths: readonly string[]
  readonly errors: ErrorPlan
  /** Hooks and plugins, in the order in which requests meet them. */
  readonly steps: readonly MiddlewareStep[]
  /** Middleware of Express: files of the application, and packages beside it. */
  readonly foreign: readonly MiddlewareEntry[]
  /** Parsers of bodies: they are needed for handlers of Express alone. */
  readonly bodyParsers: readonly MiddlewareEntry[]
  /** `loopback#context`: `getCurrentContext` works (version 2). */
  readonly usesContext: boolean
}

/** A plan while it is made. */
export interface PlanDraft {
  readonly restPaths: string[]
  readonly steps: MiddlewareStep[]
  /** Parameters of the parts of helmet, by their old names. */
  readonly helmet: Map<string, unknown>
  /** Folders of files by the path that they are served at, the first one's options for all of a path. */
  readonly files: Map<string, { readonly roots: string[]; readonly options: unknown }>
  readonly foreign: MiddlewareEntry[]
  readonly bodyParsers: MiddlewareEntry[]
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
