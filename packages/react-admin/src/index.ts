export { modelwireDataProvider } from './data-provider.ts'
export { SearchNotConfigured } from './errors.ts'
export type { HeaderValues, ModelwireDataProviderOptions, ResourceOptions, Where } from './options.ts'
