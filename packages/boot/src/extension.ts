import type { ModelRegistry } from '@modelwire/core'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { AppFolder } from './read/files/app-folder.ts'
import type { AddNote } from './boot-report.ts'
import type { AppSettings, ScriptApp } from '@modelwire/loopback/api'
import type { MiddlewareEntry } from '@modelwire/loopback/express'

/** The argument of extensions and components. */
export interface BootContext {
  /** The scope that the application is mounted in. */
  readonly server: FastifyInstance
  readonly registry: ModelRegistry
  /** The application as boot scripts see it. */
  readonly app: ScriptApp
  readonly folder: AppFolder
  /** `config.json`. */
  readonly settings: AppSettings
  /** All entries of `middleware.json`, such as the parameters of `loopback#token`. */
  readonly middleware: readonly MiddlewareEntry[]
  /**
   * `middleware.json` and LoopBack's own handlers that scripts have mounted so far, such as `loopback.token()`, in the
   * order in which requests pass them.
   */
  readonly allMiddleware: () => readonly MiddlewareEntry[]
  /**
   * Hooks by the name of the middleware of `middleware.json` that they replace among Express middleware. Each must act once
   * per request, however often it is called. Set them before the REST API is mounted.
   */
  readonly requestHooks: Map<string, onRequestHookHandler>
  readonly version: 2 | 3
  /** Modules that scripts may require, by name: set them in `beforeModels`. */
  readonly modules: Map<string, unknown>
  /** Adds a line to the report. */
  readonly add: AddNote
}

type Step = (context: BootContext) => void | Promise<void>

/** A synchronous step: scripts continue as soon as it returns. */
type StepAtOnce = (context: BootContext) => void

/** What another package adds to an application. Each step is optional. */
export interface BootExtension {
  readonly name: string
  /** Middleware that the package handles, so that the report does not list it. */
  readonly middleware?: readonly string[]
  /** Runs before the application's models are defined: the place to define built-in models. */
  readonly beforeModels?: StepAtOnce
  /** Runs after the folder is read and before its models are defined: scripts may have used models long before. */
  readonly beforeModelFiles?: StepAtOnce
  /** Runs after the models are attached and before boot scripts run. */
  readonly beforeScripts?: StepAtOnce
  /** Runs after boot scripts and before the REST API is mounted: the last moment for operations and guards. */
  readonly beforeRest?: Step
  /** Runs after middleware and before the REST API: hooks added here run after Express middleware. */
  readonly beforeRoutes?: Step
  readonly afterRest?: Step
}

/** A component of `component-config.json`, called with its parameters before boot scripts run. */
export type Component = (
  context: BootContext,
  params: Readonly<Record<string, unknown>>
) => void | Promise<void> | ComponentSteps | Promise<ComponentSteps>

/** The later steps of a component. */
export interface ComponentSteps {
  readonly afterRest?: () => void | Promise<void>
}

/** Components by name. */
export type Components = Readonly<Record<string, Component>>
