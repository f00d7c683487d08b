import type { MethodSpec } from '../definition/method-table.ts'

/** A function that code of the application calls on a model or on a record, which it finds as `this`. */
export type ModelFunction = (this: unknown, ...args: unknown[]) => unknown

/** A method that a connector brings to the models that are attached to it. */
export interface ConnectorMethod {
  readonly run: ModelFunction
  /** `run` gives a promise and takes no callback: then applications whose code uses callbacks may pass one (`offerMethod`). */
  readonly givesPromise?: boolean
  /** How clients call it, as remote methods are declared. Absent: code alone can. */
  readonly remote?: MethodSpec
}

/** Methods by name. Names of methods of records begin with `prototype.`. */
export type ConnectorMethods = Readonly<Record<string, ConnectorMethod>>
