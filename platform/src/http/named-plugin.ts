/**
 * Gives a plugin the name that fastify reads. Without a name, fastify compares the plugin with every loaded
 * module, which takes half a second in each test file that starts the product.
 */
export const namedPlugin = <P extends (...parameters: never[]) => unknown>(plugin: P): P =>
  Object.assign(plugin, { [Symbol.for('fastify.display-name')]: plugin.name });
