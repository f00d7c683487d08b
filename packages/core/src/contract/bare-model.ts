import type { Unusable } from '../values/unusable.ts'
import type { ModelType } from './model-type.ts'

/** The state of a record besides its properties. */
export interface InstanceState {
  readonly type: ModelType
  /** It is stored. */
  persisted: boolean
  /** Its id was chosen by code, which `forceId` does not refuse. */
  hasOwnId?: boolean
  /** Names that a strict model does not declare. */
  undeclared?: string[]
  /** Values that could not become their declared type. */
  unusable?: Map<string, Unusable>
  /** Names of the properties that a client may see of it; undefined: all that are not hidden. */
  readable?: ReadonlySet<string>
  /** Related records by relation name. */
  related?: Record<string, unknown>
}

let readState: (instance: BareModel) => InstanceState

/**
 * What every record is before it can read and write: its properties and a hidden state. `Model` adds the methods; data
 * access itself needs no more than this, so it does not import them.
 */
export class BareModel {
  /** The compiled model, set on every subclass that the registry makes. */
  declare static readonly modelType: ModelType
  declare static readonly modelName: string;
  [property: string]: unknown

  readonly #state: InstanceState
  static {
    readState = (instance: BareModel): InstanceState => instance.#state
  }

  constructor() {
    this.#state = { type: new.target.modelType, persisted: false }
  }
}

/** The hidden state of a record. */
export function stateOf(instance: BareModel): InstanceState {
  return readState(instance)
}

/** The compiled model of a record. */
export function typeOf(instance: BareModel): ModelType {
  return readState(instance).type
}
