import type { RestOptions } from '@modelwire/rest'
import type { FastifyInstance } from 'fastify'
import type { AppFolder } from '../files/app-folder.ts'
import type { AddNote } from '../../boot-report.ts'
import type { MiddlewareEntry } from '@modelwire/loopback/express'

/** A plugin, hook or route that implements a middleware. */
export interface MiddlewareStep {
  /** Label for the report. */
  readonly label: string
  readonly register: (server: FastifyInstance) => Promise<void>
}

/** How errors are returned. */
export interface ErrorPlan {
  readonly options: NonNullable<RestOptions['errors']>
  /** Errors outside the REST API are shown as a page to clients that accept anything (version 2). */
  readonly page: boolean
  /** They have the shape of version 3, regardless of the application's version. */
  readonly inVersion3: boolean
}

/** The Fastify equivalent of an application's middleware. */
export interface MiddlewarePlan {
  /** Mount paths of the REST API. */
  readonly restPaths: readonly string[]
  readonly errors: ErrorPlan
  /** Hooks and plugins, in the order in which requests pass them. */
  readonly steps: readonly MiddlewareStep[]
  /** Express middleware: files of the application, and packages installed in it. */
  readonly foreign: readonly MiddlewareEntry[]
  /** Body parsers: only needed for Express handlers. */
  readonly bodyParsers: readonly MiddlewareEntry[]
  /** `loopback#context`: `getCurrentContext` works (version 2). */
  readonly usesContext: boolean
}

/** A plan under construction. */
export interface PlanDraft {
  readonly restPaths: string[]
  readonly steps: MiddlewareStep[]
  /** Parameters of helmet middleware, by their old names. */
  readonly helmet: Map<string, unknown>
  /** Folders of static files by path; the options of the first one at a path apply to all. */
  readonly files: Map<string, { readonly roots: string[]; readonly options: unknown }>
  readonly foreign: MiddlewareEntry[]
  readonly bodyParsers: MiddlewareEntry[]
  errors: ErrorPlan | undefined
  usesContext: boolean
}

/** The context for planning, besides the entry. */
export interface PlanContext {
  readonly version: 2 | 3
  readonly folder: AppFolder
  readonly add: AddNote
  /** Middleware that another package of this server handles. */
  readonly honoured: ReadonlySet<string>
}
