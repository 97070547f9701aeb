#!/usr/bin/env bash
set -euo pipefail
service=${SERVICE:-http://127.0.0.1:8000}
ruleset=${RULESET:-partner-penalty}     # or all-fives, draw, block, matador …
rules=${RULES:-'{}'}                    # parameters to change, such as '{"target": 50}'
deal=${DEAL:-'{"kind": "secret"}'}

post() {  # post PATH BODY: keep the answer, or show why it was refused and stop
    answer=$(curl --silent --show-error --fail-with-body "$service$1" --data "$2" \
        --header "Content-Type: application/json" --header "Authorization: Bearer ${token:-}") ||
        { echo "$answer" >&2; exit 1; }
}
look() {  # look EXPRESSION: what a Python expression makes of the answer
    python3 -c "import json, sys; answer = json.load(sys.stdin); match = answer['match']; print($1)" <<<"$answer"
}
first_move() {  # its type, and the move itself; nothing once the match is finished
    look '*[move["type"] + " " + json.dumps(move) for move in match["hand"]["legal_moves"][:1]]'
}

post /v1/matches "{\"ruleset\": \"$ruleset\", \"rules\": $rules, \"deal\": $deal}"
path=/v1/matches/$(look 'match["id"]')
token=$(look 'answer["tokens"][0]["token"]')

move=$(first_move)
while [ -n "$move" ]; do
    echo "$move"
    post "$path/${move%% *}" "${move#* }"
    move=$(first_move)
done
look 'match["status"], match["result"], *match["scores"], sep="\n"'
