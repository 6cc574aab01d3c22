// Asks a slice server for the best targets of a node, and why the first one is
// the best.
//
//	go_client -server localhost:50051 curl tagged
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"time"

	slicev1 "example/slicev1"

	"google.golang.org/grpc"
)

func byName(name string) *slicev1.NodeRef {
	return &slicev1.NodeRef{Ref: &slicev1.NodeRef_Name{Name: name}}
}

func recommend(ctx context.Context, client slicev1.LinkPredictionServiceClient, source, relation string) ([]*slicev1.Recommendation, error) {
	stream, err := client.RecommendLinks(ctx, &slicev1.RecommendLinksRequest{
		KnownEnd: &slicev1.RecommendLinksRequest_Source{Source: byName(source)},
		Relation: relation,
		K:        3,
	})
	if err != nil {
		return nil, err
	}
	var found []*slicev1.Recommendation
	for {
		answer, err := stream.Recv()
		if err == io.EOF {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		if one := answer.GetRecommendation(); one != nil {
			found = append(found, one)
		}
	}
}

func why(ctx context.Context, client slicev1.LinkPredictionServiceClient, source, relation, target string) (string, error) {
	answer, err := client.PredictLinks(ctx, &slicev1.PredictLinksRequest{
		Links: []*slicev1.LinkRef{{
			Source: byName(source), Relation: relation, Target: byName(target),
		}},
		ExplanationLevel: slicev1.ExplanationLevel_EXPLANATION_LEVEL_FULL,
	})
	if err != nil {
		return "", err
	}
	// An error of a link is in its result, not one of the call.
	result := answer.GetResults()[0]
	if status := result.GetStatus(); status.GetCode() != 0 {
		return "", fmt.Errorf("%s", status.GetMessage())
	}
	return result.GetExplanation().GetSummary(), nil
}

func main() {
	log.SetFlags(0)
	server := flag.String("server", "localhost:50051", "HOST:PORT")
	flag.Parse()
	if flag.NArg() != 2 {
		log.Fatal("usage: go_client [-server HOST:PORT] SOURCE RELATION")
	}
	source, relation := flag.Arg(0), flag.Arg(1)

	connection, err := grpc.Dial(*server, grpc.WithInsecure())
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	client := slicev1.NewLinkPredictionServiceClient(connection)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()

	found, err := recommend(ctx, client, source, relation)
	if err != nil {
		log.Fatal(err)
	}
	for _, one := range found {
		fmt.Printf("%d\t%s\t%.4f\n", one.GetRank(), one.GetNode().GetName(), one.GetProbabilityAmongKind())
	}
	if len(found) == 0 {
		return
	}
	summary, err := why(ctx, client, source, relation, found[0].GetNode().GetKey())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(summary)
}
