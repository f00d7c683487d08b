// `@modelwire/core/environment`: settings of applications from environment variables; nothing else of core is loaded.
export { EnvironmentInvalid } from './definition/errors.ts'
export { readEnvironment } from './read-environment.ts'
