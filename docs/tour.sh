#!/usr/bin/env bash
# A tour of the product in eighteen steps, against a running `npm start`:
#
#   bash docs/tour.sh                   # on http://127.0.0.1:4000
#   bash docs/tour.sh http://host:port
#
# It registers an account of its own. Nothing but curl and node is needed.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.."

api=${1:-http://127.0.0.1:4000}
port=${2:-4999} # of the receiver of step 12
json() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }
post() { curl -s "$api$1" -H 'content-type: application/json' ${3:+-H "authorization: Bearer $3"} -d "$2"; echo; }

# 1. An account with a workspace of its own, and its session token.
post /api/v2/auth/register '{"email":"ada@example.com","password":"correct horse battery","name":"Ada"}'
token=$(post /api/v2/auth/login '{"email":"ada@example.com","password":"correct horse battery"}' | json token)

# 2. A key for the integration; the secret is shown once.
scopes='["members:read","members:write","points:write","orders:write","coupons:write","metrics:read"]'
key=$(post /api/v2/api-keys "{\"name\":\"till\",\"scopes\":$scopes}" $token | json key)

# 3. The programme, as the back office sets it up: through the graph.
graph() { post /graphql "$(node -pe 'JSON.stringify({query:process.argv[1]})' "$1")" $2; }
graph 'mutation { createTier(input: {name: "Silver", rank: 1, upgradeThreshold: 100, multiplier: 1.25}) { id }
                  createEarningRule(input: {kind: BASE, name: "One point a euro", rate: 1}) { id } }' $token
store=$(graph 'mutation { createStore(input: {name: "Ribeira", address: "Cais da Ribeira 12, Porto"}) { id } }' $token | json data.createStore.id)
pool=$(graph 'mutation { createCouponPool(input: {name: "Thanks", couponType: FIXED, discountDisplay: "5 EUR"}) { id } }' $token | json data.createCouponPool.id)
graph "mutation { generateCoupons(poolId: \"$pool\", count: 100) { availableCount } }" $token

# 4. A member enrols, is given points and buys for 80.00 EUR: 100 points for the order, by the rule and the tier.
member=$(post /api/v2/members "{\"email\":\"bo@example.com\",\"fullName\":\"Bo Berg\",\"storeId\":\"$store\"}" $key | json id)
post /api/v2/members/$member/points '{"amount":120,"description":"welcome"}' $key
post /api/v2/orders "{\"externalOrderId\":\"1001\",\"memberId\":\"$member\",\"storeId\":\"$store\",\"currency\":\"EUR\",\"total\":8000,\"occurredAt\":\"2026-03-02T10:00:00Z\"}" $key

# 5. Fifty points become a coupon, which is redeemed in the store: that is a visit, too.
coupon=$(post /api/v2/members/$member/redeem-coupon "{\"pool_id\":\"$pool\",\"points_cost\":50}" $key | json coupon.id)
post /api/v2/coupons/$coupon/redeem "{\"store_id\":\"$store\"}" $key

# 6. One query, answered by all five subgraphs.
graph "{ member(id: \"$member\") { name status pointsBalance tier { name } orderSummary { orders revenueMinor } visitSummary { count }
         pointsTransactions(first: 5) { nodes { kind amount balanceAfter } }
         suppression { isUnsubscribed } homeStore { name } workspace { name wallet { available } } } }" $key

# 7. A file of members, sent as it is and watched to its end.
import=$(printf 'email,name\nann@example.com,Ann\nnobody,Bo\n' | curl -s $api/api/v2/members/import -H 'content-type: text/csv' -H "authorization: Bearer $key" --data-binary @- | json data.id)
watch() { curl -sN "$api/graphql" -H 'accept: text/event-stream' -H 'content-type: application/json' -H "authorization: Bearer ${2:-$key}" --max-time 5 -d "{\"query\":\"subscription { $1 }\"}"; }
watch "importProgress(id: \\\"$import\\\") { status processed inserted failed issues { row field message } }"

# 8. The model API: three files are previewed and confirmed, then a member's state is asked for; the wallet
#    shows what that cost. Scopes of the model are granted in the graph only.
model=$(graph 'mutation { createApiKey(input: {name: "model", scopes: ["model:data:write", "predictions:read", "model:bulk:read"], mode: LIVE}) { secret } }' $token | json data.createApiKey.secret)
import() { # kind, content; the reply to the confirmation is printed
  file="\"kind\":\"$1\",\"format\":\"csv\",\"mapping\":{},\"content\":\"$2\""
  post /api/v1/data "{$file,\"confirmed\":true,\"token\":\"$(post /api/v1/data "{$file}" $model | json token)\"}" $model
}
kim=$(import members 'external_id,created_at\nkim,2025-01-05T09:00:00Z\n' | json mappings.kim)
import orders 'external_id,member_id,occurred_at,amount,currency,status\n1,kim,2026-05-02T10:00:00Z,20.00,EUR,paid\n2,kim,2026-06-20T10:00:00Z,35.50,EUR,paid\n3,kim,2026-08-11T10:00:00Z,18.90,EUR,paid\n'
import events 'external_id,member_id,type,occurred_at,item_id\ne1,kim,view,2026-08-11T09:50:00Z,tea\ne2,kim,add_to_cart,2026-08-11T09:52:00Z,tea\n'
post /api/v1/capabilities "{\"name\":\"model_get_consumer_state\",\"arguments\":{\"member_id\":\"$kim\"}}" $model
graph "{ wallet { balance reserved trialUsed ledger(first: 3) { nodes { description amount balanceAfter } } }
         member(id: \"$kim\") { state { status purchase { score status } } predictions { expectedNextOrderOn } } }" $token

# 9. Watch the member live while the till awards again; fields of three subgraphs arrive with the event.
watch "memberActivity(memberId: \\\"$member\\\") { kind pointsTransaction { amount } member { pointsBalance homeStore { name } suppression { isUnsubscribed } } }" &
sleep 1; post /api/v2/members/$member/points '{"amount":30}' $key; wait

# 10. A refresh of every member's state, started over REST and watched to its end; its results and states.
job=$(post /api/v1/bulk-jobs '{"action":"create","name":"nightly","idempotency_key":"first"}' $token | json id)
watch "bulkJobProgress(id: \\\"$job\\\") { status processed succeeded unavailable requestedBy { name } wallet { available } }" $token
curl -s "$api/api/v1/bulk-jobs?id=$job&view=results&limit=100" -H "authorization: Bearer $model"; echo
curl -s "$api/api/v1/member-states?member_id=$kim" -H "authorization: Bearer $model"; echo

# 11. A mail from a template; without a mail provider it arrives in the mailbox, http://127.0.0.1:4000/mailbox.
graph 'mutation { setModule(key: "transactional", enabled: true) { key } }' $token
template=$(graph 'mutation { createMessageTemplate(input: {name: "Receipt", category: TRANSACTIONAL, format: HTML,
  subject: "Thank you, {{ member.first_name }}", source: "<p>You have {{ member.points_balance }} points. Order {{ data.number }}.</p>"}) { id } }' $token | json data.createMessageTemplate.id)
post /api/v2/transactional/send "{\"template_id\":\"$template\",\"member_id\":\"$member\",\"data\":{\"number\":\"1001\"},\"idempotency_key\":\"order-1001\"}" $token
sleep 2; graph '{ mailboxMessages(first: 1) { nodes { to subject text } } }' $token
graph "{ member(id: \"$member\") { messages(first: 1) { nodes { status attempts { providerKind outcome } } }
         activity(first: 5) { nodes { kind occurredAt } } } }" $token

# 12. A receiver on this machine gets events over a socket, signed as webhooks are, without a tunnel.
node -e 'require("http").createServer((q, r) => { q.pipe(process.stdout); r.end() }).listen(process.argv[1])' "$port" & receiver=$!
node_modules/.bin/loyalty webhooks listen --forward http://127.0.0.1:$port --url $api --key $token & listener=$!
sleep 8; post /api/v2/members/$member/points '{"amount":5}' $key; sleep 2; kill $listener $receiver

# 13. What visitors of a website do, with a key that may be public; then the counts.
graph 'mutation { setModule(key: "tracking", enabled: true) { key } }' $token
public=$(graph 'mutation { createPublishableKey(input: {name: "shop", origins: [], mode: LIVE}) { secret } }' $token | json data.createPublishableKey.secret)
post "/t?key=$public" '{"events":[{"id":"1","event":"view","anonymousId":"visitor-1","properties":{"item_id":"tea"}}]}'
curl -s $api/api/v2/tracking/stats -H "authorization: Bearer $token"; echo

# 14. Members who meet conditions: counted before they are saved, then kept by what happens and by time.
audience=$(graph 'mutation { createApiKey(input: {name: "audience", scopes: ["segments:read", "segments:write", "campaigns:read", "campaigns:write", "automations:read", "automations:write", "members:read", "metrics:read"], mode: LIVE}) { secret } }' $token | json data.createApiKey.secret)
graph "mutation { setMemberConsent(memberId: \"$member\", purpose: EMAIL_MARKETING, granted: true, source: \"till\") { id } }" $key
readers='{field: "consents", operator: "includes_any", value: ["EMAIL_MARKETING"]}'
graph "{ previewSegment(definition: $readers) { count asOf sample { id } } }" $audience
segment=$(post /api/v2/segments '{"name":"Readers","definition":{"op":"and","conditions":[{"field":"consents","operator":"includes_any","value":["EMAIL_MARKETING"]},{"event":"order.created","operator":"at_least","count":1,"within_days":365}]}}' $audience | json data.id)
sleep 3; graph "{ segment(id: \"$segment\") { memberCount computedAt asOf }
         explainSegmentMember(segmentId: \"$segment\", memberId: \"$member\") { isMember parts { path description isMet } } }" $audience

# 15. A campaign is drafted over REST, which never sends; it is launched in the graph and watched. The results
#     say who bought within the window, with an interval; with a hold-out they say what the campaign did.
campaign=$(post /api/v2/campaigns "{\"name\":\"Autumn\",\"channel\":\"email\",\"subject\":\"Hello {{ member.first_name }}\",\"html\":\"<p>The autumn menu is here.</p>\",\"segmentId\":\"$segment\"}" $audience | json data.id)
graph "{ estimateAudience(input: {channel: EMAIL, segmentIds: [\"$segment\"], holdOutPercent: 10}) { members heldOut reachable exclusions { reason members } } }" $audience
graph "mutation { launchCampaign(id: \"$campaign\") { status } }" $token
watch "campaignProgress(id: \\\"$campaign\\\") { status figures { recipients sent skips { reason count } } }" $audience
post /api/v2/orders "{\"externalOrderId\":\"1002\",\"memberId\":\"$member\",\"currency\":\"EUR\",\"total\":4200,\"occurredAt\":\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\"}" $key
sleep 3; graph "{ campaign(id: \"$campaign\") { status results { windowDays
         total { recipients sent conversion { converted rate interval { low high } } revenue { revenue { amountMinor currency } perRecipientMinor } } } } }" $audience

# 16. A journey with a step that waits, and its figures; an automation, which is paused and resumed over REST.
journey=$(graph "mutation { createJourney(input: {name: \"Thanks\", definition: {entry: {segmentId: \"$segment\"}, reentry: {rule: \"NEVER\"}, start: \"points\", nodes: [
  {id: \"points\", type: \"awardPoints\", amount: 10, description: \"thanks\", next: \"wait\"},
  {id: \"wait\", type: \"delay\", days: 3, next: null}]}}) { id } }" $token | json data.createJourney.id)
graph "mutation { launchJourney(id: \"$journey\") { status } }" $token
sleep 3; graph "{ journeyAnalytics(id: \"$journey\") { entered active nodes { nodeId type entered waiting done } } }" $audience
automation=$(graph 'mutation { createAutomation(input: {name: "Welcome", trigger: {kind: "member_created"}, actions: [{type: "awardPoints", amount: 5, description: "welcome"}]}) { id } }' $token | json data.createAutomation.id)
graph "mutation { activateAutomation(id: \"$automation\") { status } }" $token
for status in paused active; do curl -s -X PATCH $api/api/v2/automations/$automation -H "authorization: Bearer $audience" -H 'content-type: application/json' -d "{\"status\":\"$status\"}"; echo; done
curl -s $api/api/v2/automations -H "authorization: Bearer $audience"; echo

# 17. A model of the workspace's own, on samples that are made up here: it is uploaded, trained by the worker and
#     evaluated on members and months that it has not seen. A person reviews the report, publishes, and asks.
training=$(graph 'mutation { createApiKey(input: {name: "training", scopes: ["model:training:read", "model:training:write", "model:training:review", "predictions:read"], mode: LIVE}) { secret } }' $token | json data.createApiKey.secret)
train() { post /api/v1/training "$1" $training; }
samples=$(node -pe 'const day = (n) => new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10); let s = 7;
  const r = () => { s = s + 0x6d2b79f5 | 0; let t = Math.imul(s ^ s >>> 15, 1 | s); t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t; return ((t ^ t >>> 14) >>> 0) / 2 ** 32; };
  JSON.stringify(["sample_id,entity_id,as_of,label_end,target,f_price,f_orders", ...Array.from({length: 2000}, (_, i) => {
    const date = 30 * Math.floor(i / 500), price = Math.round(r() * 100), orders = Math.round(r() * 9);
    return [i, "m" + i % 500, day(date), day(date + 30), +(r() < 1 / (1 + Math.exp(2 - price / 25 + orders / 3))), price, orders]; })].join("\n"))')
config='{"task":"return","origin":"live","horizon":30,"featureDefinition":"f_price: EUR; f_orders: so far"}'
version=$(train "{\"action\":\"upload\",\"name\":\"Returns\",\"confirmed\":true,\"config\":$config,\"content\":$samples}" | json id)
train "{\"action\":\"start\",\"id\":\"$version\"}"
watch "trainingProgress(id: \\\"$version\\\") { status step done failure }" $training
reports=$(train "{\"action\":\"reports\",\"id\":\"$version\"}"); echo "$reports"
report=$(echo "$reports" | json 'reports[0].id'); hash=$(echo "$reports" | json 'reports[0].report_hash')
train "{\"action\":\"approve\",\"id\":\"$version\",\"reportId\":\"$report\",\"reportHash\":\"$hash\",\"note\":\"read\",\"acknowledged\":true}"
train "{\"action\":\"publish\",\"id\":\"$version\"}"
train "{\"action\":\"infer\",\"id\":\"$version\",\"features\":{\"f_price\":80,\"f_orders\":1}}"
curl -s "$api/api/model-cards/$version?format=json" -H "authorization: Bearer $training"; echo
curl -s $api/api/v1/training -H "authorization: Bearer $training"; echo
graph '{ reportQueue { nodes { id } } modelVersionEvents(kind: TRAINING) { at type message } }' $training

# 18. An AI agent as a client of MCP: it sees the tools of its key; each call is mirrored into the run log.
graph 'mutation { setModule(key: "agents", enabled: true) { key } }' $token
agent=$(post /api/v2/api-keys '{"name":"agent","scopes":["members:read","agents:read"]}' $token | json key)
mcp() { curl -s $api/api/mcp -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -H 'mcp-protocol-version: 2025-11-25' -H "authorization: Bearer $agent" -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":$2}"; echo; }
mcp tools/list '{}' | cut -c1-300
mcp tools/call "{\"name\":\"points_balance\",\"arguments\":{\"memberId\":\"$member\"}}"
run=$(curl -s $api/api/app/agent-runs -H "authorization: Bearer $agent" | json 'runs[0].runId')
curl -s $api/api/app/agent-runs/$run -H "authorization: Bearer $agent"; echo
