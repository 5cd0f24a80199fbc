/** @apollo/gateway reports usage to its vendor unless this is set before it is imported. */
process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
