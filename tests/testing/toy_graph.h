// A small named graph that tests can reason about by eye.
//
//        web:team                         role::devel-lib      web::browser
//       ^        ^                          ^         ^             ^
//  maintained-by  maintained-by           tagged    tagged        tagged
//       |          |                        |         |             |
//      curl      libcurl4 <--depends-- libcurl4-dev   |          firefox
//       |          ^  |                               |          |    ^
//       +-depends--+  |       +-----recommends--------|----------+    |
//                     |       v                       |               |
//                  depends  libssl3 <--depends-- libssl-dev       enhances
//                     |       ^                                       |
//                     +-------+                                   privoxy
//
//  also: curl recommends libssl3 and curl depends libssl3 (parallel relations),
//        libssl3 enhances libcurl4 (against libcurl4 depends libssl3),
//        privoxy suggests privoxy (a self loop); "lonely" has no link at all;
//        "openssl" and "openssl:i386" are both named OpenSSL, and only openssl
//        has a link (depends libssl3).
#ifndef SLICE_TESTS_TESTING_TOY_GRAPH_H_
#define SLICE_TESTS_TESTING_TOY_GRAPH_H_

#include <memory>
#include <string_view>

#include "graphstore/graph_data.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// Node types package, team, tag; relations depends, recommends, suggests,
// enhances, maintained-by, tagged. Names are keys but for libssl3 ("TLS
// library"), web:team ("Web Team") and the two called "OpenSSL".
GraphData ToyGraph();
std::shared_ptr<const GraphSnapshot> ToySnapshot();

// Ids by key or name; the process ends when there is none.
NodeId ToyNode(const GraphSnapshot& snapshot, std::string_view key);
RelationId ToyRelation(const GraphSnapshot& snapshot, std::string_view name);

// A link of (or absent from) the toy graph, by key.
Link ToyLink(const GraphSnapshot& snapshot, std::string_view source,
             std::string_view relation, std::string_view target);

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_TOY_GRAPH_H_
