import { type Connector, type ConnectorMethods, noRecords } from '@modelwire/core/connector'
import type { Store } from './stores/store.ts'
import { storageMethods } from './storage-methods.ts'
import { type UploadSettings, uploadSettingsOf } from './uploads/upload-settings.ts'

type WithUploadSettings = UploadSettings & { uploadSettings(): UploadSettings }

/** A class with the settings of uploads as properties. */
const HasUploadSettings: new () => WithUploadSettings = class {
  /** Those that are set at present. */
  uploadSettings(): UploadSettings {
    return uploadSettingsOf(this)
  }
}

/**
 * A data source of files. Its upload settings are properties that may be changed at any time, as LoopBack scripts do with
 * functions, which JSON cannot contain.
 */
export class StorageConnector extends HasUploadSettings implements Connector {
  readonly name = 'loopback-component-storage'
  readonly capabilities = noRecords.capabilities
  readonly store: Store
  readonly #inlineTypes: readonly string[] | undefined

  constructor(store: Store, settings: UploadSettings & { readonly inlineTypes?: readonly string[] | undefined }) {
    super()
    this.store = store
    this.#inlineTypes = settings.inlineTypes
    Object.assign(this, uploadSettingsOf(settings))
  }

  async connect(): Promise<void> {
    await this.store.connect()
  }

  async disconnect(): Promise<void> {}

  async ping(): Promise<void> {
    await this.store.ping()
  }

  readonly collection = noRecords.collection

  methods(): ConnectorMethods {
    const { store } = this
    return storageMethods({ store, uploadSettings: () => this.uploadSettings(), inlineTypes: this.#inlineTypes })
  }
}
