// `@modelwire/core/environment`: settings of applications from environment variables; nothing else is loaded.
export { EnvironmentInvalid, readEnvironment } from '@modelwire/server/environment'
