import {
  type Collection,
  type Connector,
  type ConnectorCapabilities,
  type ConnectorMethods,
  noDataAccess,
  noRecords
} from '@modelwire/core'
import type { Store } from './store.ts'
import { storageMethods } from './storage-methods.ts'
import type { UploadSettings } from './upload-options.ts'

/**
 * A data source of files. Its settings of uploads are properties that may be changed at any time, as scripts of LoopBack do with
 * functions, which JSON cannot hold.
 */
export class StorageConnector implements Connector, UploadSettings {
  readonly name = 'loopback-component-storage'
  readonly capabilities: ConnectorCapabilities = noDataAccess
  readonly store: Store
  maxFileSize: UploadSettings['maxFileSize']
  allowedContentTypes: UploadSettings['allowedContentTypes']
  getFilename: UploadSettings['getFilename']
  nameConflict: UploadSettings['nameConflict']
  acl: UploadSettings['acl']
  maxFieldsSize: UploadSettings['maxFieldsSize']
  maxFiles: UploadSettings['maxFiles']
  StorageClass: UploadSettings['StorageClass']
  CacheControl: UploadSettings['CacheControl']
  ServerSideEncryption: UploadSettings['ServerSideEncryption']
  SSEKMSKeyId: UploadSettings['SSEKMSKeyId']
  readonly #inlineTypes: readonly string[] | undefined

  constructor(store: Store, settings: UploadSettings & { readonly inlineTypes?: readonly string[] | undefined }) {
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

  collection(): Collection {
    return noRecords
  }

  methods(): ConnectorMethods {
    const { store } = this
    return storageMethods({ store, uploadSettings: () => uploadSettingsOf(this), inlineTypes: this.#inlineTypes })
  }
}

const names = [
  'maxFileSize',
  'allowedContentTypes',
  'getFilename',
  'nameConflict',
  'acl',
  'maxFieldsSize',
  'maxFiles',
  'StorageClass',
  'CacheControl',
  'ServerSideEncryption',
  'SSEKMSKeyId'
] as const satisfies readonly (keyof UploadSettings)[]

function uploadSettingsOf(settings: UploadSettings): UploadSettings {
  return Object.fromEntries(names.map((name) => [name, settings[name]]))
}
