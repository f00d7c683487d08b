import type { ModelRegistry } from '@modelwire/core'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { AppFolder } from './app-folder.ts'
import type { AddNote } from './boot-report.ts'
import type { AppSettings } from './config/app-settings.ts'
import type { MiddlewareEntry } from '@modelwire/loopback-express'
import type { ScriptApp } from './scripts/app/script-app.ts'

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
  /** All of `middleware.json`, such as the parameters of `loopback#token`. */
  readonly middleware: readonly MiddlewareEntry[]
  /**
   * `middleware.json` and what scripts have mounted so far of LoopBack's own handlers, such as `loopback.token()`, in the order in
   * which requests meet them.
   */
  readonly allMiddleware: () => readonly MiddlewareEntry[]
  /**
   * Hooks by the name of the middleware of `middleware.json` whose place they take among middleware of Express. Each has to
   * do its work once, however often it is called for a request. Set them before the REST API is mounted.
   */
  readonly requestHooks: Map<string, onRequestHookHandler>
  readonly version: 2 | 3
  /** Modules of packages that scripts may require, by name: set them in `beforeModels`. */
  readonly modules: Map<string, unknown>
  /** Adds a line to the report. */
  readonly add: AddNote
}

type Step = (context: BootContext) => void | Promise<void>

/** Scripts go on when it returns: it cannot be waited for. */
type StepAtOnce = (context: BootContext) => void

/** What another package adds to an application. Each step is optional. */
export interface BootExtension {
  readonly name: string
  /** Middleware that the package honours, so that the report does not list it. */
  readonly middleware?: readonly string[]
  /** Before the application's models are defined: the place to define built-in models. */
  readonly beforeModels?: StepAtOnce
  /** When the folder is read and before its models are defined: scripts may have used models long before. */
  readonly beforeModelFiles?: StepAtOnce
  /** After the models are attached and before boot scripts run. */
  readonly beforeScripts?: StepAtOnce
  /** After boot scripts and before the REST API is mounted: the last moment for operations and guards. */
  readonly beforeRest?: Step
  /** After middleware and before the REST API: hooks that are added here run after middleware of Express. */
  readonly beforeRoutes?: Step
  readonly afterRest?: Step
}

/** A component of `component-config.json`, called with its parameters before boot scripts run. */
export type Component = (
  context: BootContext,
  params: Readonly<Record<string, unknown>>
) => void | Promise<void> | ComponentSteps | Promise<ComponentSteps>

/** What a component does later. */
export interface ComponentSteps {
  readonly afterRest?: () => void | Promise<void>
}

/** Components by name. */
export type Components = Readonly<Record<string, Component>>
